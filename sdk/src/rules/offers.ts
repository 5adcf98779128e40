/** Whether what is asked for can be had in the zones of a region, as its lists tell. */

/** A type of instance in a zone. */
interface InstanceTypeOffer {
  readonly zone: string;
  readonly instanceType: string;
  readonly soldOut: boolean;
}

/** What of some types of instance cannot be had. */
export interface Unoffered {
  /** The type or types, as they were asked for. */
  readonly types: readonly string[];
  /** Where they cannot be had. */
  readonly zones: readonly string[];
  /** Types that can be had there, the most similar ones first. */
  readonly instead: readonly string[];
}

/** The first type that none of the zones has; or all types, if there is a zone that has none of them. `undefined`: all is well. */
export function unofferedTypes(
  offers: readonly InstanceTypeOffer[],
  types: readonly string[],
  zones: readonly string[],
): Unoffered | undefined {
  const unknown = types.find((type) => !typesIn(offers, zones).includes(type));
  if (unknown !== undefined) return insteadOf(offers, [unknown], zones);
  const bare = zones.find((zone) => !types.some((type) => typesIn(offers, [zone]).includes(type)));
  return bare === undefined ? undefined : insteadOf(offers, types, [bare]);
}

function insteadOf(offers: readonly InstanceTypeOffer[], types: readonly string[], zones: readonly string[]): Unoffered {
  const offered = typesIn(offers, zones);
  const family = types[0]?.split(".")[0] ?? "";
  const near = offered.filter((type) => type.startsWith(`${family}.`));
  return { types, zones, instead: near.length > 0 ? near : offered };
}

/** The types of instance that can be had in any of the zones. */
export function typesIn(offers: readonly InstanceTypeOffer[], zones: readonly string[]): string[] {
  const found = offers.filter(({ zone, soldOut }) => zones.includes(zone) && !soldOut);
  return [...new Set(found.map(({ instanceType }) => instanceType))];
}

/** A type of disk in a zone, for one usage; the sizes in GB. */
interface DiskOffer {
  readonly zone: string;
  readonly diskType: string;
  readonly usage: string;
  readonly least: number;
  readonly most: number;
}

interface Disk {
  readonly diskType: string;
  readonly diskSize: number;
  readonly usage: string;
}

/** What of a disk cannot be had: which of its parts, and why, with what can be had. */
export interface DiskFlaw {
  readonly of: "diskType" | "diskSize";
  readonly says: string;
}

/** Why a disk cannot be had in one of the zones, with what can be had there; `undefined` if it can. */
export function diskFlaw(
  offers: readonly DiskOffer[],
  { diskType, diskSize, usage }: Disk,
  zones: readonly string[],
): DiskFlaw | undefined {
  for (const zone of zones) {
    const there = offers.filter((offer) => offer.zone === zone && offer.usage === usage);
    const offer = there.find((one) => one.diskType === diskType);
    const types = [...new Set(there.map((one) => one.diskType))];
    if (!offer)
      return {
        of: "diskType",
        says: `is ${JSON.stringify(diskType)}, which ${zone} does not have as a ${usage}; it takes ${types.join(", ")}`,
      };
    if (diskSize < offer.least || diskSize > offer.most)
      return {
        of: "diskSize",
        says: `is ${diskSize} GB; as a ${usage} of ${zone}, ${diskType} takes ${offer.least} to ${offer.most} GB`,
      };
  }
  return undefined;
}
