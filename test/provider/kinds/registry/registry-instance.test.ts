import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { eachWay, inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeNetwork } from "../../stage/outside.ts";

/** What each input of a RegistryInstance does when it changes and when it is taken out. */
await laws(async (stage) => {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [first, second] = subnetIds;

  // A bucket that is not deleted stays in the world.
  const base = { registryName: "laws-images", deleteBucket: true };
  const office = { cidrBlock: "203.0.113.0/24", description: "office" };
  const runner = { cidrBlock: "198.51.100.7/32", description: "" };
  const within = (subnetId: string, dns?: boolean) => ({ internalAccess: [{ vpcId, subnetId, ...(dns !== undefined && { dns }) }] });
  const letsIn = (...whitelist: readonly object[]) => ({ publicAccess: { whitelist } });
  const open = { ...base, ...letsIn(office, runner) };
  const inside = { ...base, ...within(first) };
  const nameless = { ...base, ...within(first, false) };
  const tags = { team: "a", stage: "test" };
  const [link, name] = ["ManageInternalEndpoint", "CreateInternalEndpointDns"];
  const [access, entry] = ["ManageExternalEndpoint", "CreateSecurityPolicy"];
  return {
    type: "RegistryInstance",
    base,
    creates: ["CreateInstance"],
    full: { ...open, ...inside, tags, registryType: "standard", enableCosVersioning: true, enableCosMaz: true },
    notFound: ["deleteBucket"],
    createsFull: ["CreateInstance", access, entry, entry, link, name],
    updates: ["ModifyInstance"],
    deletes: ["DeleteInstance"],
    changes: [
      { to: { registryName: "laws-others" }, does: "replace" },
      ...inAndOut(base, { registryType: "premium", enableCosVersioning: true }),
      { to: letsIn(office), calls: [access, entry] },
      { of: "publicAccess, put in for nobody", to: letsIn(), calls: [access] },
      {
        of: "publicAccess, one range",
        from: open,
        to: letsIn(office, { ...runner, cidrBlock: "198.51.100.8/32" }),
        calls: [entry, "DeleteSecurityPolicy"],
      },
      {
        of: "publicAccess, all ranges",
        from: open,
        to: letsIn({ cidrBlock: "192.0.2.1" }),
        calls: [entry, "DeleteSecurityPolicy", "DeleteSecurityPolicy"],
      },
      {
        of: "publicAccess, a description",
        from: open,
        to: letsIn(office, { ...runner, description: "runner" }),
        calls: ["ModifySecurityPolicy"],
      },
      { of: "publicAccess, another order and spelling", from: open, to: letsIn({ cidrBlock: "198.51.100.7" }, office), does: "nothing" },
      { from: open, to: { publicAccess: undefined }, calls: [access] },
      { to: within(first), calls: [link, name] },
      { of: "internalAccess, put in without DNS", to: within(first, false), calls: [link] },
      { of: "internalAccess, DNS on", from: nameless, to: within(first, true), calls: [name] },
      { of: "internalAccess, DNS off", from: inside, to: within(first, false), calls: ["DeleteInternalEndpointDns"] },
      { of: "internalAccess, another subnet", from: inside, to: within(second), calls: [link, link, name] },
      { from: inside, to: { internalAccess: undefined }, calls: [link] },
      { to: { deletionProtection: true }, last: { deletionProtection: false } },
      { from: { ...base, deletionProtection: true }, to: { deletionProtection: undefined } },
      { to: { deleteBucket: false }, calls: [], last: { deleteBucket: true } },
      { to: { deleteBucket: undefined }, calls: [], last: { deleteBucket: true } },
      ...inAndOut(base, { enableCosMaz: true }, { does: "delete-replace" }),
      { of: "enableCosMaz, with another name", to: { enableCosMaz: true, registryName: "laws-others" }, does: "replace" },
      ...eachWay(base, { tags: [tags, { team: "b", owner: "me" }] }, { calls: ["ModifyResourceTags"] }),
    ],
    unknowns: [
      ...notKnown("update", [
        "registryType",
        "publicAccess",
        "internalAccess",
        "deletionProtection",
        "deleteBucket",
        "enableCosVersioning",
        "tags",
      ]),
      ...notKnown("replace", ["registryName"]),
      ...notKnown("delete-replace", ["enableCosMaz"]),
      { of: "the whitelist", to: { publicAccess: { whitelist: unknown } }, does: "update" },
      { of: "a range", to: letsIn(office, { cidrBlock: unknown }), does: "update" },
      { of: "a subnet", to: within(unknown), does: "update" },
      { of: "one of tags", to: { tags: { team: unknown } }, does: "update" },
    ],
    vanish: (registryId) => stage.cloud.call(registry.deleteInstance, { registryId, deleteBucket: true }),
  };
});
