import { expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { type Props, unknown } from "../schema/values.ts";
import { check } from "./check.ts";

/** What a check makes of inputs, and refuses, by its arguments alone. */

const loaded = await load("Vpc", "Subnet", "NodePool", "Repository");

async function load(...types: readonly (keyof typeof kinds)[]) {
  return Object.fromEntries(await Promise.all(types.map(async (type) => [type, (await kinds[type]()).kind] as const)));
}

function kindOf(type: string) {
  const kind = loaded[type];
  if (!kind) throw new Error(`${type} is not loaded`);
  return kind;
}

const urnOf = (type: string, name = "net") => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
const vpc = { cidrBlock: "10.0.0.0/16", __urn: urnOf("Vpc") };
const messagesOf = (type: string, olds: Props, news: Props) => check(kindOf(type), olds, news).failures.map(({ message }) => message);

test("default tags are added to those of a resource, which win, and to no resource that takes no tags", () => {
  const defaults = { team: "a", env: "prod" };
  const tagsOf = (news: Props) => check(kindOf("Vpc"), {}, news, defaults).inputs["tags"];
  expect(tagsOf(vpc)).toEqual(defaults);
  expect(tagsOf({ ...vpc, tags: { team: "b" } })).toEqual({ team: "b", env: "prod" });
  expect(tagsOf({ ...vpc, tags: unknown })).toBe(unknown);
  const repository = { registryId: "tcr-3f8a0c1e", namespaceName: "team", repositoryName: "web" };
  expect(check(kindOf("Repository"), {}, repository, defaults).inputs).not.toHaveProperty("tags");
});

test("what only a check needs is not kept", () => {
  const passing = { __of: {}, __after: [], __first: true, __kept: true, __with: "", __adopts: "x", __from: {} };
  const kept = { ...vpc, __timeouts: { create: "5m" }, __veiled: ["cidrBlock"] };
  const { inputs } = check(kindOf("Vpc"), {}, { ...kept, ...passing });
  expect(Object.keys(inputs).filter((key) => key.startsWith("__"))).toEqual(["__urn", "__timeouts", "__veiled"]);
});

test("an automatic name fits the platform's limit", () => {
  const long = urnOf("Vpc", "n".repeat(80));
  const { vpcName } = check(kindOf("Vpc"), {}, { ...vpc, __urn: long }).inputs;
  expect(vpcName).toMatch(/^n{52}-[0-9a-f]{7}$/);
});

test("an output without a value is named with the resource that does not exist yet", () => {
  const subnet = { zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/24", __urn: urnOf("Subnet") };
  expect(messagesOf("Subnet", {}, { ...subnet, __of: { vpcId: urnOf("Vpc") } })).toEqual([
    'vpcId: Vpc "net" does not exist yet. Name it with --target as well, or run without --target and --exclude',
  ]);
  expect(messagesOf("Subnet", {}, subnet)).toEqual(["vpcId: is required"]);
});

test("each part of an ID that could not be read back from it is refused for itself", () => {
  const repository = { registryId: "tcr-3f8a0c1e", namespaceName: "team", repositoryName: "web" };
  const wrong = { ...repository, namespaceName: "te/am", repositoryName: unknown };
  expect(messagesOf("Repository", {}, wrong)).toEqual([expect.stringContaining("namespaceName: ")]);
  expect(messagesOf("Repository", {}, repository)).toEqual([]);
});

test("what was deployed stays accepted, but not in another type, and not what is new", () => {
  const before = { cidrBlock: "10.0.0.0/16", dnsServers: ["nope"], tags: 7, vpcName: "net" };
  expect(messagesOf("Vpc", before, { ...before, __urn: urnOf("Vpc") })).toEqual(["tags: takes an object, not a number"]);
  expect(messagesOf("Vpc", {}, { ...before, tags: {}, __urn: urnOf("Vpc") })).toEqual(['dnsServers[0]: takes an IPv4 address, not "nope"']);
});
