import * as registry from "@container-platform/sdk/registry";
import { altered, type Drift, type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import type { Props } from "../../../support/structs.ts";
import { alter } from "../../stage/outside.ts";
import { tagDrifts } from "../tag-drifts.ts";
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

type ByHand = NonNullable<Drift["byHand"]>;

let registries = 0;
/** A registry of its own name for each case; a bucket that is not deleted would stay in the world. */
const images = () => ({ registryName: `drift-images-${registries++}`, deleteBucket: true });

function attributes(stage: Stage): Drift[] {
  const { cloud } = stage;
  const modify = (change: object) => (registryId: string) =>
    cloud.call(registry.modifyInstance, { registryId, deletionProtection: false, ...change });
  const changed = setByHand(modify, ["ModifyInstance"]);
  const lasting = altered(stage, "registries");
  return [
    lasting(images(), { registryName: "drift-renamed" }, { name: "drift-renamed" }, { tells: ["publicDomain"] }),
    changed(images(), { registryType: "premium" }),
    changed(images(), { deletionProtection: true }),
    changed(images(), { enableCosVersioning: true }),
    lasting(images(), { enableCosMaz: true }, { cosMaz: true }),
    ...tagDrifts(stage, "registry", images),
    unnoticed("registryType", "and all else with its default", {
      ...images(),
      registryType: "basic",
      internalAccess: [],
      deletionProtection: false,
      enableCosVersioning: false,
      enableCosMaz: false,
      tags: {},
    }),
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
  const manage = (operation: "Create" | "Delete") => (registryId: string) =>
    cloud.call(registry.manageExternalEndpoint, { registryId, operation });
  const lets = (registryId: string) => cloud.call(registry.createSecurityPolicy, { registryId, ...guest });
  const mine = { ...office, description: "mine" };
  const describes = (registryId: string) => cloud.call(registry.modifySecurityPolicy, { registryId, policyIndex: 0, ...mine });
  const changed = (how: string, from: Props, byHand: ByHand, whitelist?: readonly object[]) => ({
    input: "publicAccess",
    how,
    from,
    byHand,
    shows: { publicAccess: whitelist && { whitelist } },
  });
  const [access, entry] = ["ManageExternalEndpoint", "CreateSecurityPolicy"];
  return [
    { ...changed("one more", open(), lets, [office, runs, guest]), repairs: ["DeleteSecurityPolicy"] },
    { ...changed("one described", open(), describes, [runs, mine]), repairs: ["ModifySecurityPolicy"] },
    { ...changed("closed", open(), manage("Delete")), repairs: [access, entry, entry] },
    { ...changed("opened", images(), manage("Create"), []), repairs: [access] },
    unnoticed("publicAccess.whitelist", "in another order", { ...images(), publicAccess: { whitelist: [room, runner, office] } }, (id) =>
      alter(stage, "whitelists", id, {
        entries: [office, { cidrBlock: "198.51.100.7/32", description: "" }, { cidrBlock: "2001:db8::/64", description: "" }],
      }),
    ),
    unnoticed("publicAccess", "for nobody", { ...images(), publicAccess: { whitelist: [] } }),
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
  const changed = (how: string, byHand: ByHand, shown: readonly object[] | undefined, ...repairs: readonly string[]) => ({
    input: "internalAccess",
    how,
    from: inside(),
    byHand,
    shows: { internalAccess: shown },
    repairs,
  });
  const tells = ["internalDomains", "internalEndpoint"];
  const nameless = (subnetId: string) => ({ vpcId, subnetId, dns: false });
  const moved = async (id: string) => {
    await link(id, first, "Delete");
    await link(id, second, "Create");
  };
  return [
    { ...changed("cut", (id) => link(id, first, "Delete"), undefined, ...connects), tells },
    { ...changed("in another subnet", moved, [nameless(second)], "ManageInternalEndpoint", ...connects), tells },
    { ...changed("no longer resolved", unnamed, [nameless(first)], "CreateInternalEndpointDns"), tells: tells.slice(0, 1) },
  ];
}
