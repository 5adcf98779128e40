/** The regions of the local platform. */
export const regions = ["eu-frankfurt", "ap-singapore", "na-ashburn"] as const;
export type Region = (typeof regions)[number];

export function isRegion(name: string): name is Region {
  return regions.some((region) => region === name);
}

/** A region's zones: three available ones, and one that is not. */
export function zonesOf(region: string): { zone: string; available: boolean }[] {
  return [1, 2, 3, 4].map((number) => ({ zone: `${region}-${number}`, available: number < 4 }));
}

/** The number by which some operations name a region. */
export function numberOfRegion(name: string): number {
  return regions.findIndex((region) => region === name) + 1;
}
