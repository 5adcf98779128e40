import type { DiskUsage } from "../../../catalogue/disk.ts";
import type { CommonCode, ErrorCode } from "../../../operation/errors.ts";
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
  const offers = instanceTypesIn(region).filter(({ zone, soldOut }) => zones.includes(zone) && !soldOut);
  return [...new Set(offers.map(({ instanceType }) => instanceType))];
}

/** Refuses a type that none of the zones has, and types of which a zone has none. */
export function refuseInstanceTypes<Code extends ErrorCode>(
  call: Call<Code>,
  types: readonly string[],
  { parameter, zones, code }: Asked<Code>,
): void {
  const [unknown] = types.filter((type) => !instanceTypesOf(call.region, zones).includes(type));
  if (unknown !== undefined) throw refusal(call, unknown, { parameter, zones, code });
  const bare = zones.find((zone) => !types.some((type) => instanceTypesOf(call.region, [zone]).includes(type)));
  if (bare !== undefined) throw refusal(call, types.join(", "), { parameter, zones: [bare], code });
}

function refusal<Code extends ErrorCode>(call: Call<Code>, given: string, { parameter, zones, code }: Asked<Code>) {
  const offered = instanceTypesOf(call.region, zones);
  const family = given.split(".")[0] ?? "";
  const near = offered.filter((type) => type.startsWith(`${family}.`));
  return call.error(
    code,
    `${parameter} is ${JSON.stringify(given)}, which ${zones.join(" and ")} ${zones.length === 1 ? "does" : "do"} not have; ` +
      `it takes types such as ${firstFew(near.length > 0 ? near : offered)}, as DescribeZoneInstanceConfigInfos lists them`,
  );
}

/** Refuses a type of disk that one of the zones does not have for this usage. */
export function refuseDiskType<Code extends ErrorCode>(
  call: Call<Code>,
  { diskType, usage }: { readonly diskType: string; readonly usage: DiskUsage },
  { parameter, zones, code }: Asked<Code>,
): void {
  for (const place of zones) {
    const offers = diskTypesIn(call.region).filter((offer) => offer.zone === place && offer.usage === usage);
    const offered = offers.map((offer) => offer.diskType);
    if (!offered.includes(diskType))
      throw call.error(
        code,
        `${parameter} is ${JSON.stringify(diskType)}, which ${place} does not have as a ${usage}; ` +
          `it takes ${offered.join(", ")}, as DescribeDiskConfigQuota lists them`,
      );
  }
}
