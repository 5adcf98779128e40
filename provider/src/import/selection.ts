import { InputError } from "@container-platform/sdk";
import { isProps } from "../schema/values.ts";
import type { FoundResource } from "./find-resources.ts";
import { dependenciesOf, type References } from "./references.ts";

/** Which resources to declare. If nothing is set, all of them. */
export interface Selection {
  /** Ids of VPCs, each with everything in it and the security groups and elastic IPs that this uses. */
  readonly vpcs: readonly string[];
  /** A tag, `key` or `key=value`: the resources that have it, and those that belong to them and take no tags. */
  readonly tag: string | undefined;
  /** Ids of single resources. */
  readonly ids: readonly string[];
}

/** The selected resources, in their given order. @throws InputError for an id that no resource has */
export function selectResources(
  resources: readonly FoundResource[],
  { vpcs, tag, ids }: Selection,
  references: References,
  region: string,
): readonly FoundResource[] {
  if (vpcs.length === 0 && ids.length === 0 && tag === undefined) return resources;
  const matching = (id: string, matches: (resource: FoundResource) => boolean) => {
    const found = resources.filter(matches);
    if (found.length === 0) throw new InputError(`there is no ${id} in ${region}`);
    return found;
  };
  const selected = new Set([
    ...ids.flatMap((id) => matching(id, (resource) => resource.id === id || resource.id.endsWith(`/${id}`))),
    ...(tag === undefined ? [] : withTag(resources, tag, references)),
    ...vpcs.flatMap((id) => {
      const found = matching(id, (resource) => resource.kind.type === "Vpc" && resource.id === id);
      return withContents(found, resources, references);
    }),
  ]);
  return resources.filter((resource) => selected.has(resource));
}

function withTag(resources: readonly FoundResource[], tag: string, references: References): FoundResource[] {
  const [key = "", ...rest] = tag.split("=");
  const value = rest.length > 0 ? rest.join("=") : undefined;
  const tagged = resources.filter(({ kind: { tagsInput = "" }, live }) => {
    const tags = live[tagsInput];
    return isProps(tags) && key in tags && (value === undefined || tags[key] === value);
  });
  const belonging = resources.filter(
    (resource) =>
      resource.kind.tagsInput === undefined &&
      resource.kind.id.names.some((name) =>
        tagged.some((one) => references.at(resource, name, String(resource.live[name]))?.resource === one),
      ),
  );
  return [...tagged, ...belonging];
}

/** VPCs with all resources that depend on them, and with the security groups and elastic IPs that these use, which are in no VPC. */
function withContents(vpcs: readonly FoundResource[], resources: readonly FoundResource[], references: References): FoundResource[] {
  const contents = new Set(vpcs);
  const addDependents = () => {
    const before = contents.size;
    for (const resource of resources)
      if (!isInNoVpc(resource) && dependenciesOf(resource, references).some((other) => contents.has(other) && !isInNoVpc(other)))
        contents.add(resource);
    return contents.size > before;
  };
  while (addDependents());
  const used = new Set<FoundResource>();
  const addUsed = (resource: FoundResource) => {
    for (const other of dependenciesOf(resource, references))
      if (isInNoVpc(other) && !used.has(other)) {
        used.add(other);
        addUsed(other);
      }
  };
  contents.forEach(addUsed);
  return [...contents, ...used];
}

function isInNoVpc({ kind }: FoundResource): boolean {
  return kind.type === "SecurityGroup" || kind.type === "ElasticIp";
}
