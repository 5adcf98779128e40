import type { DiskUsage } from "../../../catalogue/disk.ts";
import type { CommonCode, ErrorCode } from "../../../operation/errors.ts";
import { listed } from "../../../formats/lists.ts";
import { diskFlaw, typesIn, unofferedTypes } from "../../../rules/offers.ts";
import type { Call } from "../../behaviour.ts";
import { diskTypesIn, instanceTypesIn } from "../../compute/offers.ts";
import { firstFew } from "../../requests/names-and-tags.ts";

/** Whether the zones of new machines have what is asked for. A real platform finds out only when it makes them. */

interface Asked<Code extends ErrorCode> {
  /** The parameter, as it is spelt on the wire. */
  readonly parameter: string;
  readonly zones: readonly string[];
  /** The code of the refusal; operations have different ones. */
  readonly code: Code | CommonCode;
}

/** The types of instance that can be had in any of the zones. */
export function instanceTypesOf(region: string, zones: readonly string[]): string[] {
  return typesIn(instanceTypesIn(region), zones);
}

/** Refuses a type that none of the zones has, and types of which a zone has none. */
export function refuseInstanceTypes<Code extends ErrorCode>(
  call: Call<Code>,
  types: readonly string[],
  { parameter, zones, code }: Asked<Code>,
): void {
  const flaw = unofferedTypes(instanceTypesIn(call.region), types, zones);
  if (!flaw) return;
  throw call.error(
    code,
    `${parameter} is ${JSON.stringify(flaw.types.join(", "))}, which ${listed(flaw.zones)} ${flaw.zones.length === 1 ? "does" : "do"} not have; ` +
      `it takes types such as ${firstFew(flaw.instead)}, as DescribeZoneInstanceConfigInfos lists them`,
  );
}

/** Refuses a type or a size of disk that one of the zones does not have for this usage. */
export function refuseDisk<Code extends ErrorCode>(
  call: Call<Code>,
  disk: { readonly diskType: string; readonly diskSize: number; readonly usage: DiskUsage },
  { parameter, zones, code }: Asked<Code>,
): void {
  const flaw = diskFlaw(diskTypesIn(call.region), disk, zones);
  if (!flaw) return;
  const part = flaw.of === "diskType" ? "DiskType" : "DiskSize";
  throw call.error(code, `${parameter}.${part} ${flaw.says}, as DescribeDiskConfigQuota lists them`);
}
