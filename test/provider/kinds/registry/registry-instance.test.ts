import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeNetwork } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a RegistryInstance does when it changes and when it is taken out. */
async function registryInstanceTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [first, second] = subnetIds;

  // A bucket that is not deleted stays in the world.
  const base = { registryName: "laws-images", deleteBucket: true };
  const office = { cidrBlock: "203.0.113.0/24", description: "office" };
  const runner = { cidrBlock: "198.51.100.7/32", description: "" };
  const open = { ...base, publicAccess: { whitelist: [office, runner] } };
  const inside = { ...base, internalAccess: [{ vpcId, subnetId: first }] };
  const nameless = { ...base, internalAccess: [{ vpcId, subnetId: first, dns: false }] };
  const tagged = { ...base, tags: { team: "a", stage: "test" } };
  const modify = ["ModifyInstance"];
  return {
    type: "RegistryInstance",
    inputs: [
      "registryName",
      "registryType",
      "publicAccess",
      "internalAccess",
      "deletionProtection",
      "deleteBucket",
      "enableCosVersioning",
      "enableCosMaz",
      "tags",
    ],
    base,
    creates: ["CreateInstance"],
    full: { ...open, ...inside, ...tagged, registryType: "standard", enableCosVersioning: true, enableCosMaz: true },
    notFound: ["deleteBucket"],
    createsFull: [
      "CreateInstance",
      "ManageExternalEndpoint",
      "CreateSecurityPolicy",
      "CreateSecurityPolicy",
      "ManageInternalEndpoint",
      "CreateInternalEndpointDns",
    ],
    deletes: ["DeleteInstance"],
    changes: [
      { of: "registryName", to: { registryName: "laws-others" }, does: "replace", calls: ["CreateInstance", "DeleteInstance"] },
      { of: "registryType", to: { registryType: "premium" }, does: "update", calls: modify },
      {
        of: "registryType, taken out",
        from: { ...base, registryType: "premium" },
        to: { registryType: undefined },
        does: "update",
        calls: modify,
      },
      {
        of: "publicAccess, put in",
        to: { publicAccess: { whitelist: [office] } },
        does: "update",
        calls: ["ManageExternalEndpoint", "CreateSecurityPolicy"],
      },
      { of: "publicAccess, put in for nobody", to: { publicAccess: { whitelist: [] } }, does: "update", calls: ["ManageExternalEndpoint"] },
      {
        of: "publicAccess, one range",
        from: open,
        to: { publicAccess: { whitelist: [office, { ...runner, cidrBlock: "198.51.100.8/32" }] } },
        does: "update",
        calls: ["CreateSecurityPolicy", "DeleteSecurityPolicy"],
      },
      {
        of: "publicAccess, all ranges",
        from: open,
        to: { publicAccess: { whitelist: [{ cidrBlock: "192.0.2.1" }] } },
        does: "update",
        calls: ["CreateSecurityPolicy", "DeleteSecurityPolicy", "DeleteSecurityPolicy"],
      },
      {
        of: "publicAccess, a description",
        from: open,
        to: { publicAccess: { whitelist: [office, { ...runner, description: "runner" }] } },
        does: "update",
        calls: ["ModifySecurityPolicy"],
      },
      {
        of: "publicAccess, another order and spelling",
        from: open,
        to: { publicAccess: { whitelist: [{ cidrBlock: "198.51.100.7" }, office] } },
        does: "nothing",
        calls: [],
      },
      { of: "publicAccess, taken out", from: open, to: { publicAccess: undefined }, does: "update", calls: ["ManageExternalEndpoint"] },
      {
        of: "internalAccess, put in",
        to: { internalAccess: [{ vpcId, subnetId: first }] },
        does: "update",
        calls: ["ManageInternalEndpoint", "CreateInternalEndpointDns"],
      },
      {
        of: "internalAccess, put in without DNS",
        to: { internalAccess: [{ vpcId, subnetId: first, dns: false }] },
        does: "update",
        calls: ["ManageInternalEndpoint"],
      },
      {
        of: "internalAccess, DNS on",
        from: nameless,
        to: { internalAccess: [{ vpcId, subnetId: first, dns: true }] },
        does: "update",
        calls: ["CreateInternalEndpointDns"],
      },
      { of: "internalAccess, DNS off", from: inside, to: nameless, does: "update", calls: ["DeleteInternalEndpointDns"] },
      {
        of: "internalAccess, another subnet",
        from: inside,
        to: { internalAccess: [{ vpcId, subnetId: second }] },
        does: "update",
        calls: ["ManageInternalEndpoint", "ManageInternalEndpoint", "CreateInternalEndpointDns"],
      },
      {
        of: "internalAccess, taken out",
        from: inside,
        to: { internalAccess: undefined },
        does: "update",
        calls: ["ManageInternalEndpoint"],
      },
      {
        of: "deletionProtection, on",
        to: { deletionProtection: true },
        does: "update",
        calls: modify,
        last: { deletionProtection: false },
      },
      {
        of: "deletionProtection, taken out",
        from: { ...base, deletionProtection: true },
        to: { deletionProtection: undefined },
        does: "update",
        calls: modify,
      },
      { of: "deleteBucket", to: { deleteBucket: false }, does: "update", calls: [], last: { deleteBucket: true } },
      { of: "deleteBucket, taken out", to: { deleteBucket: undefined }, does: "update", calls: [], last: { deleteBucket: true } },
      { of: "enableCosVersioning", to: { enableCosVersioning: true }, does: "update", calls: modify },
      {
        of: "enableCosVersioning, taken out",
        from: { ...base, enableCosVersioning: true },
        to: { enableCosVersioning: undefined },
        does: "update",
        calls: modify,
      },
      { of: "enableCosMaz", to: { enableCosMaz: true }, does: "delete-replace", calls: ["DeleteInstance", "CreateInstance"] },
      {
        of: "enableCosMaz, taken out",
        from: { ...base, enableCosMaz: true },
        to: { enableCosMaz: undefined },
        does: "delete-replace",
        calls: ["DeleteInstance", "CreateInstance"],
      },
      {
        of: "enableCosMaz, with another name",
        to: { enableCosMaz: true, registryName: "laws-others" },
        does: "replace",
        calls: ["CreateInstance", "DeleteInstance"],
      },
      { of: "tags", from: tagged, to: { tags: { team: "b", owner: "me" } }, does: "update", calls: ["ModifyResourceTags"] },
      { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: ["ModifyResourceTags"] },
    ],
    unknowns: [
      { of: "registryName", to: { registryName: unknown }, does: "replace" },
      { of: "registryType", to: { registryType: unknown }, does: "update" },
      { of: "publicAccess", to: { publicAccess: unknown }, does: "update" },
      { of: "the whitelist", to: { publicAccess: { whitelist: unknown } }, does: "update" },
      { of: "a range", to: { publicAccess: { whitelist: [office, { cidrBlock: unknown }] } }, does: "update" },
      { of: "internalAccess", to: { internalAccess: unknown }, does: "update" },
      { of: "a subnet", to: { internalAccess: [{ vpcId, subnetId: unknown }] }, does: "update" },
      { of: "deletionProtection", to: { deletionProtection: unknown }, does: "update" },
      { of: "deleteBucket", to: { deleteBucket: unknown }, does: "update" },
      { of: "enableCosVersioning", to: { enableCosVersioning: unknown }, does: "update" },
      { of: "enableCosMaz", to: { enableCosMaz: unknown }, does: "delete-replace" },
      { of: "tags", to: { tags: unknown }, does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (registryId) => cloud.call(registry.deleteInstance, { registryId, deleteBucket: true }),
  };
}

await laws(registryInstanceTable);
