import { type Output, output } from "@pulumi/pulumi";
import { knownValue } from "../pulumi/known.ts";
import type { Subnet } from "../resources/network/subnet.ts";
import type { Network } from "./network.ts";

/** The subnets of a role, as other resources need them. */
export interface Place {
  /** The id of the subnet in the first zone. */
  readonly subnetId: Output<string>;
  /**
   * The ids of all subnets, a list of outputs: so the preview of another zone knows all ids but one. An output of a list would be unknown
   * as a whole, and the cluster would be replaced.
   */
  readonly subnetIds: Promise<Output<string>[]>;
}

/** The subnets of a role, or of the network's first role if it has none of that name. */
export function placeOf<Role extends string>({ subnets, roles }: Network<Role>, role: string): Place {
  const all: Readonly<Record<string, Output<Readonly<Record<string, Subnet>>>>> = subnets;
  const found = all[role] ?? all[roles[0] ?? ""] ?? output({});
  const subnetId = found.apply((byZone) => idsIn(byZone)[0] ?? output(""));
  return { subnetId, subnetIds: knownValue(found).then((byZone) => (byZone ? idsIn(byZone) : [subnetId])) };
}

function idsIn(byZone: Readonly<Record<string, Subnet>>): Output<string>[] {
  return Object.values(byZone).map((one) => one.subnetId);
}
