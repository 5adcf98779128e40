import * as registry from "@container-platform/sdk/registry";
import type { Drift, Drifts } from "../../every-kind/drift-law.ts";
import { alter, retag } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Place } from "../../stage/place.ts";

/** Each input of a RegistryInstance, changed behind the program's back. */
export function registryInstanceDrifts(place: Place): Drifts {
  const { stage } = place;
  return {
    unread: { deleteBucket: "is for the deletion" },
    cases: [...attributes(stage), ...publicAccess(stage), ...internalAccess(place)],
  };
}

let registries = 0;
/** A registry of its own name for each case; a bucket that is not deleted would stay in the world. */
const images = () => ({ registryName: `drift-images-${registries++}`, deleteBucket: true });

function attributes(stage: Stage): Drift[] {
  const { cloud } = stage;
  const modify = ["ModifyInstance"];
  return [
    {
      input: "registryName",
      from: images(),
      byHand: (id) => alter(stage, "registries", id, { name: "drift-renamed" }),
      shows: { registryName: "drift-renamed" },
      tells: ["publicDomain"],
      stays: true,
    },
    {
      input: "registryType",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, registryType: "premium", deletionProtection: false }),
      shows: { registryType: "premium" },
      repairs: modify,
    },
    {
      input: "deletionProtection",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, deletionProtection: true }),
      shows: { deletionProtection: true },
      repairs: modify,
    },
    {
      input: "enableCosVersioning",
      from: images(),
      byHand: (registryId) => cloud.call(registry.modifyInstance, { registryId, enableCosVersioning: true, deletionProtection: false }),
      shows: { enableCosVersioning: true },
      repairs: modify,
    },
    {
      input: "enableCosMaz",
      from: images(),
      byHand: (id) => alter(stage, "registries", id, { cosMaz: true }),
      shows: { enableCosMaz: true },
      stays: true,
    },
    {
      input: "tags",
      from: { ...images(), tags: { team: "a" } },
      byHand: (id) => retag(stage, "registry", id, { team: "b" }),
      shows: { tags: { team: "b" } },
      repairs: ["ModifyResourceTags"],
    },
    {
      input: "registryType",
      how: "and all else with its default",
      from: {
        ...images(),
        registryType: "basic",
        internalAccess: [],
        deletionProtection: false,
        enableCosVersioning: false,
        enableCosMaz: false,
        tags: {},
      },
    },
  ];
}

function publicAccess(stage: Stage): Drift[] {
  const { cloud } = stage;
  const office = { cidrBlock: "203.0.113.0/24", description: "office" };
  const runner = { cidrBlock: "198.51.100.7" };
  const open = () => ({ ...images(), publicAccess: { whitelist: [office, runner] } });
  const guest = { cidrBlock: "192.0.2.1/32", description: "guest" };
  // What the program says with its default.
  const [runs, room] = [
    { ...runner, description: "" },
    { cidrBlock: "2001:DB8::/64", description: "" },
  ];
  return [
    {
      input: "publicAccess.whitelist",
      from: open(),
      byHand: (registryId) => cloud.call(registry.createSecurityPolicy, { registryId, ...guest }),
      shows: { publicAccess: { whitelist: [office, runs, guest] } },
      repairs: ["DeleteSecurityPolicy"],
    },
    {
      input: "publicAccess.whitelist",
      how: "one described",
      from: open(),
      byHand: (registryId) => cloud.call(registry.modifySecurityPolicy, { registryId, policyIndex: 0, ...office, description: "mine" }),
      shows: { publicAccess: { whitelist: [runs, { ...office, description: "mine" }] } },
      repairs: ["ModifySecurityPolicy"],
    },
    {
      input: "publicAccess.whitelist",
      how: "in another order",
      from: { ...images(), publicAccess: { whitelist: [room, runner, office] } },
      byHand: (id) =>
        alter(stage, "whitelists", id, {
          entries: [office, { cidrBlock: "198.51.100.7/32", description: "" }, { cidrBlock: "2001:db8::/64", description: "" }],
        }),
    },
    {
      input: "publicAccess",
      how: "closed",
      from: open(),
      byHand: (registryId) => cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Delete" }),
      shows: { publicAccess: undefined },
      repairs: ["ManageExternalEndpoint", "CreateSecurityPolicy", "CreateSecurityPolicy"],
    },
    {
      input: "publicAccess",
      how: "opened",
      from: images(),
      byHand: (registryId) => cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" }),
      shows: { publicAccess: { whitelist: [] } },
      repairs: ["ManageExternalEndpoint"],
    },
    { input: "publicAccess", how: "for nobody", from: { ...images(), publicAccess: { whitelist: [] } } },
  ];
}

function internalAccess({ stage, vpcId, subnetIds: [first, second] }: Place): Drift[] {
  const { cloud } = stage;
  const inside = () => ({ ...images(), internalAccess: [{ vpcId, subnetId: first }] });
  const link = (registryId: string, subnetId: string, operation: "Create" | "Delete") =>
    cloud.call(registry.manageInternalEndpoint, { registryId, operation, vpcId, subnetId });
  const connects = ["ManageInternalEndpoint", "CreateInternalEndpointDns"];
  const unnamed = async (instanceId: string) => {
    const { accessVpcSet } = await cloud.call(registry.describeInternalEndpoints, { registryId: instanceId });
    for (const { accessIp: eniLbIp } of accessVpcSet) await cloud.call(registry.deleteInternalEndpointDns, { instanceId, vpcId, eniLbIp });
  };
  return [
    {
      input: "internalAccess",
      how: "cut",
      from: inside(),
      byHand: (id) => link(id, first, "Delete"),
      shows: { internalAccess: undefined },
      tells: ["internalDomains", "internalEndpoint"],
      repairs: connects,
    },
    {
      input: "internalAccess",
      how: "in another subnet",
      from: inside(),
      byHand: async (id) => {
        await link(id, first, "Delete");
        await link(id, second, "Create");
      },
      shows: { internalAccess: [{ vpcId, subnetId: second, dns: false }] },
      tells: ["internalDomains", "internalEndpoint"],
      repairs: ["ManageInternalEndpoint", ...connects],
    },
    {
      input: "internalAccess",
      how: "no longer resolved",
      from: inside(),
      byHand: unnamed,
      shows: { internalAccess: [{ vpcId, subnetId: first, dns: false }] },
      tells: ["internalDomains"],
      repairs: ["CreateInternalEndpointDns"],
    },
  ];
}
