import { listed } from "@container-platform/sdk";
import * as compute from "@container-platform/sdk/compute";
import { all, type ComponentResource, CustomResource, type CustomResourceOptions, type Input, log, type Output } from "@pulumi/pulumi";
import { asCalled, coded, refuse } from "./arguments.ts";
import { reading } from "./reading.ts";

/** The zones of a region, each sorted by name, and those that the program names. The state has them as they were when the network was made. */
interface Zones {
  readonly region: string;
  readonly available: readonly string[];
  readonly others: readonly string[];
  readonly named?: readonly string[];
}

/** A zone of a network, and its place in the range of each role: 0 for the first subnet. */
export interface PlacedZone {
  readonly zone: string;
  readonly place: number;
}

/** Pulumi's own resource that keeps a value in the state, by its type: older SDKs have no class for it. */
class Stash extends CustomResource {
  /** What was given first; `undefined` in tests of programs, where nothing answers what Pulumi's own resources do. */
  declare readonly output: Output<Zones | undefined>;
  constructor(name: string, input: Input<Zones>, opts: CustomResourceOptions) {
    super("pulumi:index:Stash", name, { input, output: undefined }, opts);
  }
}

/**
 * The zones of a network: those that are named, or the first so many. The state remembers the zones as they were when the network was
 * made. So a zone that is sold out, added or taken out later moves no subnet of another one.
 */
export function zonesOf(network: ComponentResource, name: string, asked: number | readonly string[]): Output<readonly PlacedZone[]> {
  const region = reading(network, async (cloud): Promise<Zones> => {
    const { zoneSet } = await cloud.call(compute.describeZones, {});
    const named = (available: boolean) =>
      zoneSet.filter(({ zoneState }) => (zoneState === "AVAILABLE") === available).map(({ zone }) => zone);
    return { region: cloud.region, available: named(true).toSorted(), others: named(false).toSorted() };
  });
  const input = region.apply((now): Zones => {
    if (typeof asked === "number") return now;
    const unknown = asked.filter((zone) => ![...now.available, ...now.others].includes(zone));
    const sentenceOn = (zone: string) => `zones: ${zone} is no zone of ${now.region}: it takes ${now.available.join(", ")}`;
    refuse(network, unknown.map(sentenceOn));
    return { ...now, named: asked };
  });
  const { output: then } = new Stash(`${name}-zones`, input, { parent: network, ignoreChanges: ["input"] });
  return all([then, input]).apply(([remembered, now]) => {
    const kept = remembered ?? now;
    const order = inOrder(kept, now);
    if (typeof asked === "number") refuse(network, tooFew(asked, order, kept, now));
    const chosen = typeof asked === "number" ? order.slice(0, asked) : asked;
    // Those that could be used when the network was made have its subnets. In others, the subnets themselves are refused.
    const missing = chosen.filter((zone) => kept.available.includes(zone) && now.others.includes(zone));
    const doubt = `zones: ${listed(missing)} cannot be used at present: what stands there stays, and what is new there is refused`;
    if (missing.length > 0) void log.warn(coded(asCalled(network, doubt), "NotOffered"), network);
    // In the order of their places, whatever the program's: what stands in the first zone, such as a control plane, stays there.
    return chosen.map((zone) => ({ zone, place: order.indexOf(zone) })).toSorted((one, other) => one.place - other.place);
  });
}

/**
 * All zones: the remembered ones in their order, those that were named first, then those that were available; and then those that the
 * region did not have.
 */
function inOrder({ named = [], available, others }: Zones, now: Zones): string[] {
  return [...new Set([...named, ...available, ...others, ...[...now.available, ...now.others].toSorted()])];
}

function tooFew(asked: number, order: readonly string[], remembered: Zones, { region, available }: Zones): string[] {
  // A zone that was available when the network was made may be sold out now: the network's subnets are there already.
  const usable = order.slice(0, asked).filter((zone) => [...remembered.available, ...available].includes(zone));
  if (usable.length === asked) return [];
  const has = `${region} has ${counted(available.length, "available zone")}: ${available.join(", ")}`;
  return [`zones: ${asked} are asked for, and ${has}. Give ${usable.length} at most, or the names of zones`];
}

/** A number and its noun: `1 zone`, `3 zones`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
