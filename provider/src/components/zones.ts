import * as compute from "@container-platform/sdk/compute";
import { all, type ComponentResource, CustomResource, type CustomResourceOptions, type Input, log, type Output } from "@pulumi/pulumi";
import { counted, refuse } from "./mistakes.ts";
import { reading } from "./reading.ts";

/** The zones of a region, each sorted by name. */
interface Region {
  readonly region: string;
  readonly available: readonly string[];
  readonly others: readonly string[];
}

/** Pulumi's own resource that keeps a value in the state, by its type: older SDKs have no class for it. */
class Stash extends CustomResource {
  declare readonly output: Output<Region>;
  constructor(name: string, input: Input<Region>, opts: CustomResourceOptions) {
    super("pulumi:index:Stash", name, { input, output: undefined }, opts);
  }
}

/**
 * The zones of a network: those that are named, or the first so many. For a number, the state remembers the region's zones as they were
 * when the network was made. So a zone that is sold out or added later moves no subnet.
 */
export function zonesOf(network: ComponentResource, name: string, asked: number | readonly string[]): Output<readonly string[]> {
  const region = reading(network, async (cloud): Promise<Region> => {
    const { zoneSet } = await cloud.call(compute.describeZones, {});
    const named = (available: boolean) =>
      zoneSet.filter(({ zoneState }) => (zoneState === "AVAILABLE") === available).map(({ zone }) => zone);
    return { region: cloud.region, available: named(true).toSorted(), others: named(false).toSorted() };
  });
  if (typeof asked !== "number")
    return all([region, asked]).apply(([now, names]) => {
      refuse(network, unknownZones(names, now));
      return warned(network, names, now);
    });
  const { output: then } = new Stash(`${name}-zones`, region, { parent: network, ignoreChanges: ["input"] });
  return all([then, region]).apply(([remembered, now]) => {
    refuse(network, tooFew(asked, remembered, now));
    return warned(network, inOrder(remembered, now).slice(0, asked), now);
  });
}

/** All zones: the remembered ones in their order, those that were available first, and then those that the region did not have then. */
function inOrder(remembered: Region, now: Region): string[] {
  return [...new Set([...remembered.available, ...remembered.others, ...[...now.available, ...now.others].toSorted()])];
}

function tooFew(asked: number, remembered: Region, now: Region): string[] {
  // A zone that was available when the network was made may be sold out now: the network's subnets are there already.
  const usable = inOrder(remembered, now)
    .slice(0, asked)
    .filter((zone) => [...remembered.available, ...now.available].includes(zone));
  if (usable.length === asked) return [];
  return [
    `zones: ${asked} are asked for, and ${now.region} has ${counted(now.available.length, "available zone")}: ${now.available.join(", ")}. Give ${usable.length} at most, or the names of zones`,
  ];
}

function unknownZones(names: readonly string[], { region, available, others }: Region): string[] {
  const known = [...available, ...others].toSorted();
  return names.filter((zone) => !known.includes(zone)).map((zone) => `zones: ${zone} is no zone of ${region}; it has ${known.join(", ")}`);
}

function warned(network: ComponentResource, chosen: readonly string[], { others }: Region): readonly string[] {
  const missing = chosen.filter((zone) => others.includes(zone));
  if (missing.length > 0)
    void log.warn(`zones: ${missing.join(", ")} cannot be used at present: subnets and nodes that are new there will be refused`, network);
  return chosen;
}
