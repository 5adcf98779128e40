import { repositoriesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type { Cloud } from "@container-platform/sdk";
import fc from "fast-check";
import type { Garden, Plant } from "./garden.ts";
import { called } from "./program.ts";
import type { Named } from "./ground.ts";
import { type TemplateName, templateNames, templates } from "./templates.ts";

const edits = ["add", "remove", "rename", "change", "replace", "halve", "protect", "import"] as const;

/** One edit of a program, and what else happens at the time of the run that follows it. */
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

/** Edits the program. What has to exist before it is made by hand. */
export async function edited(garden: Garden, { edit, template, pick }: Step, cloud: Cloud): Promise<void> {
  const some = garden.plants.filter((plant) => edit !== "halve" || plant.template === "vpc");
  const plant = some[pick % Math.max(1, some.length)];
  if (edit === "import") await imported(garden, pick, cloud);
  else if (edit === "add" || !plant) garden.add(template, pick);
  else if (edit === "remove") garden.remove(plant);
  else garden.edit(plant, changeOf(edit, garden, plant));
}

function changeOf(edit: Exclude<Step["edit"], "add" | "remove" | "import">, garden: Garden, plant: Plant): Partial<Plant> {
  const { settings, template } = plant;
  if (edit === "rename") return { name: `${template}-${garden.next()}`, alias: plant.name };
  if (edit === "protect") return { protect: !plant.protect };
  if (edit === "halve") return { settings: { ...settings, half: !settings.half } };
  if (edit === "replace" && templates[template].replaces) return { settings: { ...settings, place: garden.next() } };
  return { settings: { ...settings, version: settings.version + 1 } };
}

/** A VPC or a group that somebody has made, and that differs from the program in what can be changed. */
async function imported(garden: Garden, pick: number, cloud: Cloud): Promise<void> {
  if (pick % 2 === 0) {
    const plant = garden.add("group", pick);
    const { securityGroup } = await cloud.call(vpc.createSecurityGroup, { groupName: "by-hand", groupDescription: "by hand" });
    garden.edit(plant, { imported: securityGroup.securityGroupId });
  } else {
    const plant = garden.add("vpc", pick);
    const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: "by-hand", cidrBlock: `10.${plant.settings.place}.0.0/16` })).vpc;
    garden.edit(plant, { imported: vpcId });
  }
}

type Deed = (cloud: Cloud, entry: Named) => Promise<unknown>;

const renamings: Readonly<Record<string, Deed>> = {
  Vpc: (cloud, { id }) => cloud.call(vpc.modifyVpcAttribute, { vpcId: id, vpcName: "by-hand" }),
  Subnet: (cloud, { id }) => cloud.call(vpc.modifySubnetAttribute, { subnetId: id, subnetName: "by-hand" }),
  SecurityGroup: (cloud, { id }) => cloud.call(vpc.modifySecurityGroupAttribute, { securityGroupId: id, groupName: "by-hand" }),
};

const deletions: Readonly<Record<string, Deed>> = {
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

/** Somebody changes or deletes something by hand. What it was, if there was something. */
export async function byHand({ byHand: what, pick }: Step, cloud: Cloud, state: readonly Named[]): Promise<string | undefined> {
  if (what === null) return undefined;
  const deeds = what === "rename" ? renamings : deletions;
  const some = state.filter(({ type, fate }) => deeds[type] && fate === "stays");
  const entry = some[pick % Math.max(1, some.length)];
  if (!entry) return undefined;
  await deeds[entry.type]?.(cloud, entry);
  return `${what} ${called(entry)}`;
}
