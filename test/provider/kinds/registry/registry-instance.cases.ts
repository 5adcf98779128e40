import * as registry from "@container-platform/sdk/registry";
import { tagsOf } from "../../../lifecycle/template.ts";
import { registryInstanceDrifts } from "./registry-instance.drifts.ts";
import { unknown } from "../../../support/structs.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("RegistryInstance");

/** One registry for images and one that they are copied to. The VPC reaches both. */
async function site({ cloud, index, idOf }: Site): Promise<readonly string[]> {
  const make = async (registryName: string, registryType: "basic" | "standard") => {
    const { registryId } = await cloud.call(registry.createInstance, { registryName, registryType });
    const access = { vpcId: idOf("Vpc"), subnetId: idOf("Subnet") };
    await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", ...access });
    return registryId;
  };
  const registryId = await make(`site-${index}-images`, "standard");
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.0/28", description: "office" });
  return [registryId, await make(`site-${index}-archive`, "basic")];
}

export const cases: KindCases = {
  drifts: registryInstanceDrifts,
  creates: { operation: registry.createInstance },
  killed: {
    tagged: ({ stage }) => ({
      args: { registryName: "laws-images", deleteBucket: true },
      count: () => stage.rows("registries"),
      beside: false,
      tags: async (id) => {
        const { registries } = await stage.cloud.call(registry.describeInstances, { registryIds: [id] });
        return tagRecord(registries[0]?.tagSpecification.tags);
      },
    }),
  },
  site,
  idsIn: idsOfTable("registries"),
  program: {
    one: () => `const { registryId } = new RegistryInstance("images", {
  registryName: "throw-away-images", deleteBucket: true, internalAccess: [{ vpcId, subnetId }], tags,
  publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7", description: "office" }] },
});
const archive = new RegistryInstance("archive", { registryName: "throw-away-archive", deleteBucket: true, tags });`,
  },
  random: {
    template: {
      needs: {},
      replaces: true,
      args: ({ version, place: number }) => ({
        registryName: `registry-${number}`,
        deleteBucket: true,
        publicAccess: version % 2 === 0 ? undefined : { whitelist: [{ cidrBlock: "198.51.100.0/24" }] },
        tags: tagsOf(version),
      }),
    },
    variants: {
      connected: {
        needs: { subnet: "Subnet" },
        replaces: true,
        args: ({ version, place: number }, refer) => ({
          registryName: `registry-${number}`,
          deleteBucket: true,
          internalAccess: version % 3 === 2 ? undefined : [{ vpcId: refer("subnet.vpc", "vpcId"), subnetId: refer("subnet", "subnetId") }],
        }),
      },
    },
    renamed: { exempt: "its name cannot be changed" },
    deleted: { exempt: "all in it, which is in the program, would go with it" },
    imported: { exempt: "its name, which is the program's, could be taken by another one" },
  },
  judged: {
    "a new registry of which is not known who reaches it": create({ publicAccess: { whitelist: unknown } }, ["undecided"]),
    "a bucket deleted with the registry": update({ deleteBucket: false }, { deleteBucket: true }, ["safeguard-weakened"]),
    "a registry closed to the internet": update(
      { publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/32" }] } },
      {},
      ["access-narrowed"],
      { says: "203.0.113.7/32" },
    ),
    "a registry of a lower type": update({ registryType: "premium" }, { registryType: "basic" }, ["interrupts"], {
      says: "the registry can do less from then on",
    }),
    "a registry of a higher type": update({ registryType: "basic" }, { registryType: "premium" }, []),
    "a registry that is not found by its name any more, and stays connected": update(
      { internalAccess: [{ vpcId: "vpc-1", subnetId: "subnet-1" }] },
      { internalAccess: [{ vpcId: "vpc-1", subnetId: "subnet-1", dns: false }] },
      ["interrupts"],
      { says: "its name is no longer resolved in the VPC of subnet-1" },
    ),
  },
};
