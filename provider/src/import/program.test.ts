import { describe, expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import type { Props } from "../schema/values.ts";
import type { FoundResource } from "./find-resources.ts";
import { stateOfHere } from "./already.ts";
import { namesFor, sortedByName } from "./names.ts";
import { importFileOf, programOf } from "./program.ts";
import { referencesTo } from "./references.ts";
import { selectResources } from "./selection.ts";

/** The program for resources that were found: their names, their order, what is selected, and what it cannot contain. */

const { kind: vpcs } = await kinds.Vpc();
const { kind: subnets } = await kinds.Subnet();
const { kind: groups } = await kinds.SecurityGroup();
const { kind: addresses } = await kinds.ElasticIp();
const { kind: gateways } = await kinds.NatGateway();
const { kind: pools } = await kinds.NodePool();
const { kind: accounts } = await kinds.ServiceAccount();

const found = (kind: FoundResource["kind"], id: string, inputs: Props, live: Props = {}): FoundResource => ({
  ...{ kind, id, inputs },
  live: { ...inputs, ...kind.id.parts(id), ...live },
});
const vpc = (id: string, vpcName: string, tags?: Props) => found(vpcs, id, { cidrBlock: "10.0.0.0/16", vpcName, ...(tags && { tags }) });
const subnet = (id: string, subnetName: string, vpcId = "vpc-1") =>
  found(subnets, id, { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/24", subnetName });

describe("names", () => {
  const namesOf = (...resources: readonly FoundResource[]) => [...namesFor(resources, referencesTo(resources)).values()];

  test("are those of the platform, without odd characters, or the ID", () => {
    expect(namesOf(vpc("vpc-1", "-web net!-"), vpc("vpc-2", ""), vpc("vpc-3", "***"))).toEqual([
      { name: "web-net", variable: "webNetVpc" },
      { name: "vpc-2", variable: "vpc2Vpc" },
      { name: "Vpc", variable: "vpc" },
    ]);
    expect(namesOf(vpc("vpc-1", "7up"), vpc("vpc-2", "MyVpc"), vpc("vpc-3", "ünïcode"))).toEqual([
      { name: "7up", variable: "vpc7up" },
      { name: "MyVpc", variable: "myVpc" },
      { name: "ünïcode", variable: "nCodeVpc" },
    ]);
  });

  test("of which several are the same have the owner's name before them, or a number behind", () => {
    const all = [vpc("vpc-1", "shop"), vpc("vpc-2", "shop"), subnet("subnet-1", "web"), subnet("subnet-2", "web", "vpc-9")];
    expect(namesOf(...all).map(({ name }) => name)).toEqual(["shop", "shop-2", "shop-web", "web"]);
    expect(namesOf(...all, subnet("subnet-3", "db")).at(-1)).toEqual({ name: "db", variable: "dbSubnet" });
  });

  test("order the resources of a kind, numbers by their value", () => {
    const all = [subnet("subnet-1", "net-10"), vpc("vpc-1", "b"), subnet("subnet-2", "net-9"), vpc("vpc-2", "a")];
    expect(sortedByName(all, referencesTo(all)).map(({ id }) => id)).toEqual(["subnet-2", "subnet-1", "vpc-2", "vpc-1"]);
  });
});

describe("a selection", () => {
  const team = vpc("vpc-1", "shop", { team: "a=b", env: "prod" });
  const gateway = found(gateways, "nat-1", { vpcId: "vpc-1", publicIpAddresses: ["198.51.100.7"] });
  const address = found(addresses, "eip-1", {}, { addressIp: "198.51.100.7" });
  const pool = found(pools, "cls-1/np-1", { clusterId: "cls-1", native: { subnetIds: ["subnet-1"], securityGroupIds: ["sg-1"] } });
  const all = [
    ...[address, team, vpc("vpc-2", "other", { team: "c" }), subnet("subnet-1", "web"), subnet("subnet-2", "db", "vpc-2")],
    ...[
      found(groups, "sg-1", { ingress: [{ securityGroupId: "sg-2" }] }),
      found(groups, "sg-2", {}),
      found(groups, "sg-3", {}),
      gateway,
      pool,
    ],
  ];
  const none = { vpcs: [], tag: undefined, ids: [] };
  const selected = (selection: Partial<Parameters<typeof selectResources>[1]>) =>
    selectResources(all, { ...none, ...selection }, referencesTo(all), "eu-frankfurt").map(({ id }) => id);

  test("of nothing is everything", () => {
    expect(selected({})).toHaveLength(all.length);
  });

  test("by tag has a key, and a value with all that follows the first =", () => {
    expect([selected({ tag: "team" }), selected({ tag: "team=a=b" }), selected({ tag: "team=a" })]).toEqual([
      ["vpc-1", "vpc-2"],
      ["vpc-1"],
      [],
    ]);
  });

  test("by ID has that resource, also by the last part of its ID", () => {
    expect([selected({ ids: ["np-1"] }), selected({ ids: ["subnet-2", "vpc-1"] })]).toEqual([["cls-1/np-1"], ["vpc-1", "subnet-2"]]);
    expect(() => selected({ ids: ["np-9"] })).toThrow("there is no np-9 in eu-frankfurt");
    expect(() => selected({ vpcs: ["subnet-1"] })).toThrow("there is no subnet-1 in eu-frankfurt");
  });

  test("by VPC has all that is in it, and the groups and addresses that this uses", () => {
    expect(selected({ vpcs: ["vpc-1"] })).toEqual(["eip-1", "vpc-1", "subnet-1", "sg-1", "sg-2", "nat-1", "cls-1/np-1"]);
    expect(selected({ vpcs: ["vpc-2"] })).toEqual(["vpc-2", "subnet-2"]);
  });
});

test("a program names what it cannot contain once for a kind, and what a deployment would refuse", () => {
  const account = (name: string) => found(accounts, `tcr-1/${name}`, { registryId: "tcr-1", name, permissions: [] });
  const { text, problems } = programOf([account("a"), account("b"), subnet("subnet-1", "web")], "eu-frankfurt", true);
  expect(text.match(/^\/\/ .*: returned only at creation/gm)).toHaveLength(1);
  expect(text).toContain('vpcId: "vpc-1"');
  expect(text.match(/\{ import: /g)).toHaveLength(3);
  expect(problems).toEqual(importFileOf([account("a"), account("b"), subnet("subnet-1", "web")]).problems);
  const wrong = programOf([found(vpcs, "vpc-1", { cidrBlock: "no" })], "eu-frankfurt", false);
  expect(wrong.problems).toEqual(["Vpc vpc-1: cidrBlock: no is not an IPv4 range such as 10.0.0.0/16"]);
  expect(wrong.text).not.toMatch(/import:|first `pulumi up`/);
  const file: unknown = JSON.parse(importFileOf([vpc("vpc-1", "shop")]).text);
  expect(file).toEqual({ resources: [{ type: "container-platform:index:Vpc", name: "shop", id: "vpc-1" }] });
});

test("what another stack manages, by its tags, is named with that stack", async () => {
  const of = (stack: string, id: string): FoundResource => ({
    ...vpc(id, id),
    live: { ownershipTags: { "container-platform/stack": stack } },
  });
  const six = ["1", "2", "3", "4", "5", "6"].map((n) => of("shop/dev.01234567", `vpc-${n}`));
  const said = await stateOfHere(undefined)([of("shop/prod.01234567", "vpc-9"), ...six, vpc("vpc-8", "free")], "eu-frankfurt");
  expect(said).toEqual([
    "1 of these has the ownership tags of stack prod of project shop: vpc-9. After the import, that stack no longer deletes it. If its program still declares it, remove it there: until then, both stacks change it",
    expect.stringMatching(
      /^6 of these have the ownership tags of stack dev of project shop: vpc-1, .*, vpc-5 and 1 more\. .* both stacks change them$/,
    ),
  ]);
});
