import { repositoriesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type { Cloud } from "@container-platform/sdk";
import fc from "fast-check";
import type { RandomProgram, RandomResource } from "./random-program.ts";
import { called } from "./program.ts";
import type { EntrySummary } from "./resettable-stack.ts";
import { type TemplateName, templateNames, templates } from "./templates.ts";

const edits = ["add", "remove", "rename", "change", "replace", "halve", "protect", "import"] as const;

/** One edit of a program, and what else happens during the run that follows it, or before it. */
export interface Step {
  readonly edit: (typeof edits)[number];
  readonly template: TemplateName;
  readonly pick: number;
  /** The call that fails in the run, before its effect or after it; `lost`: without an answer. */
  readonly fault: { readonly nth: number; readonly when: "before" | "after"; readonly lost: boolean } | null;
  /** What somebody does by hand before the run. */
  readonly byHand: "rename" | "delete" | null;
}

const weighted = ["add", "add", "add", ...edits, "change", "replace"] as const;

const step = fc.record<Step>({
  edit: fc.constantFrom(...weighted),
  template: fc.constantFrom(...templateNames),
  pick: fc.nat(99),
  fault: fc.option(fc.record({ nth: fc.integer({ min: 1, max: 40 }), when: fc.constantFrom("before", "after"), lost: fc.boolean() }), {
    freq: 2,
  }),
  byHand: fc.constantFrom(null, null, "rename", "delete"),
});

/** So many steps, some of them with a fault or something done by hand. */
export function steps(least: number, most: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength: least, maxLength: most });
}

/** Edits the program. A resource that it is to import is made by hand first. */
export async function edited(random: RandomProgram, { edit, template, pick }: Step, cloud: Cloud): Promise<void> {
  const some = random.resources.filter((resource) => edit !== "halve" || resource.template === "vpc");
  const resource = some[pick % Math.max(1, some.length)];
  if (edit === "import") await imported(random, pick, cloud);
  else if (edit === "add" || !resource) random.add(template, pick);
  else if (edit === "remove") random.remove(resource);
  else random.edit(resource, changeOf(edit, random, resource));
}

function changeOf(
  edit: Exclude<Step["edit"], "add" | "remove" | "import">,
  random: RandomProgram,
  resource: RandomResource,
): Partial<RandomResource> {
  const { settings, template } = resource;
  if (edit === "rename") return { name: `${template}-${random.next()}`, alias: resource.name };
  if (edit === "protect") return { protect: !resource.protect };
  if (edit === "halve") return { settings: { ...settings, half: !settings.half } };
  if (edit === "replace" && templates[template].replaces) return { settings: { ...settings, place: random.next() } };
  return { settings: { ...settings, version: settings.version + 1 } };
}

/** Adds a VPC or a security group that somebody has made by hand. It differs from the program in what can be changed. */
async function imported(random: RandomProgram, pick: number, cloud: Cloud): Promise<void> {
  if (pick % 2 === 0) {
    const resource = random.add("group", pick);
    const { securityGroup } = await cloud.call(vpc.createSecurityGroup, { groupName: "by-hand", groupDescription: "by hand" });
    random.edit(resource, { imported: securityGroup.securityGroupId });
  } else {
    const resource = random.add("vpc", pick);
    const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "by-hand", cidrBlock: `10.${resource.settings.place}.0.0/16` })).vpc;
    random.edit(resource, { imported: vpcId });
  }
}

type ChangeByHand = (cloud: Cloud, entry: EntrySummary) => Promise<unknown>;

const renamings: Readonly<Record<string, ChangeByHand>> = {
  Vpc: (cloud, { id }) => cloud.call(vpc.modifyVpcAttribute, { vpcId: id, vpcName: "by-hand" }),
  Subnet: (cloud, { id }) => cloud.call(vpc.modifySubnetAttribute, { subnetId: id, subnetName: "by-hand" }),
  SecurityGroup: (cloud, { id }) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId: id, groupName: "by-hand" }),
};

const deletions: Readonly<Record<string, ChangeByHand>> = {
  SecurityGroup: (cloud, { id }) => cloud.call(vpc.deleteSecurityGroup, { securityGroupId: id }),
  Namespace: async (cloud, { id }) => {
    const place = partsOf(id);
    for (const { repositoryName } of await repositoriesOf(cloud, place.registryId, place.namespaceName))
      await cloud.call(registry.deleteRepository, { ...place, repositoryName });
    return cloud.call(registry.deleteNamespace, place);
  },
  ServiceAccount: (cloud, { id }) => {
    const { registryId, namespaceName: name } = partsOf(id);
    return cloud.call(registry.deleteServiceAccount, { registryId, name });
  },
  Token: (cloud, { id }) => {
    const { registryId, namespaceName: tokenId } = partsOf(id);
    return cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
  },
};

function partsOf(id: string): { registryId: string; namespaceName: string } {
  const [registryId = "", namespaceName = ""] = id.split("/");
  return { registryId, namespaceName };
}

/** Somebody renames or deletes a resource by hand. What was done, if there was such a resource. */
export async function byHand({ byHand: what, pick }: Step, cloud: Cloud, state: readonly EntrySummary[]): Promise<string | undefined> {
  if (what === null) return undefined;
  const changes = what === "rename" ? renamings : deletions;
  const some = state.filter(({ type, status }) => changes[type] && status === "live");
  const entry = some[pick % Math.max(1, some.length)];
  if (!entry) return undefined;
  await changes[entry.type]?.(cloud, entry);
  return `${what} ${called(entry)}`;
}
