import type { Step } from "./previews.ts";

const words = "the quick brown fox jumps over the lazy dog and then some more of the same, so that there is a lot to show";

/** A preview of 1,000 changes: 300 deletions, 200 replacements, 300 changes in place, 200 creations. */
export const many: readonly Step[] = [
  ...times(300, (index): Step => ({ kind: "Namespace", name: `gone-${index}`, op: "delete", old: { namespaceName: `gone-${index}` } })),
  ...times(200, (index): Step => ({
    kind: "Subnet",
    name: `moved-${index}`,
    op: "replace",
    old: { vpcId: "vpc-1", cidrBlock: `10.0.${index}.0/24` },
    now: { vpcId: "vpc-1", cidrBlock: `10.1.${index}.0/24` },
    because: ["cidrBlock"],
  })),
  ...times(300, (index): Step => ({
    kind: "NodePool",
    name: `pool-${index}`,
    op: "update",
    old: { labels: { note: words }, native: { subnetIds: ["a"] } },
    now: { labels: { note: `${words} ${index}` }, native: { subnetIds: [`b-${index}`] } },
    from: { native: [`Subnet moved-${index % 200}`] },
    paths: ["labels.note", "native.subnetIds[0]"],
  })),
  ...times(200, (index): Step => ({ kind: "Token", name: `new-${index}`, op: "create", now: { desc: words, registryId: "tcr-1" } })),
];

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
