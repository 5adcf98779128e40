import * as z from "@container-platform/sdk/zod";
import { describe, expect, test } from "vitest";
import { idOf, isLike, joined } from "../definition/ids.ts";
import { cleared, kept, named, refusedOnceSet, secret, short, unordered } from "../definition/inputs.ts";
import { kinds } from "../resources/kinds.ts";
import { defaultsOf, differencesIn, differs, inputsForProgram, leavingOut, meansSame, speltLike } from "./compare.ts";
import { idsIn, idsKept, pathsLeftOut } from "./parts.ts";
import { expandPath, partOf, placeOf } from "./paths.ts";
import { keptPrivateInputs, layout, privateStateOf } from "./private-state.ts";
import { asSecret, Redactor, unreadableSecrets, withSecretsMarked } from "./secrets.ts";
import { nameOf, typeOf } from "./urn.ts";
import { validated } from "./validate.ts";
import { at, isAmong, orNone, throwingIfUnknown, unknown, UnknownInput } from "./values.ts";

/** How values of inputs are compared, shown, read and refused, by their schemas. */

const { kind: pools } = await kinds.NodePool();
const { kind: vpcs } = await kinds.Vpc();
const texts = z.array(z.string());

describe("values are compared", () => {
  const nested = z.object({ size: kept(z.number()), note: cleared(z.string()), list: cleared(texts) });

  test("without what is left to the platform, at any depth", () => {
    expect([differs(nested, {}, { size: 5 }), differs(nested, { size: 4 }, { size: 5 })]).toEqual([false, true]);
    expect([differs(nested, {}, { note: "x" }), differs(nested, {}, { list: [] }), differs(nested, {}, { list: ["a"] })]).toEqual([
      ...[true, false, true],
    ]);
    expect(differs(refusedOnceSet(z.string()), undefined, "chosen")).toBe(false);
    expect([meansSame(kept(texts), [], undefined), meansSame(texts, [], undefined), meansSame(kept(nested), {}, undefined)]).toEqual([
      ...[false, false, true],
    ]);
  });

  test("and shown place by place, by their parts only if they have the same ones", () => {
    const places = (live: unknown, desired: unknown, schema: z.ZodType = z.object({ a: texts, b: secret(z.string()) })) =>
      differencesIn(schema, live, desired, ["in"], false).map(({ place, live: is, desired: says }) => `${place}: ${is} ${says}`);
    expect(places({ a: ["x", "y"] }, { a: ["x", "z"] })).toEqual(['in.a[1]: "y" "z"']);
    expect(places({ a: ["x", "y"] }, { a: ["x"] })).toEqual(['in.a: ["x","y"] ["x"]']);
    expect(places({ b: "hush" }, {})).toEqual(['in.b: "[secret]" nothing']);
    expect(places(["x"], { a: "x" }, z.unknown())).toEqual(['in: ["x"] {"a":"x"}']);
    const long = "x".repeat(400);
    expect(places(long, "y", z.string())).toEqual([`in: "${"x".repeat(299)}… "y"`]);
    expect(differencesIn(z.string(), "a", "b", ["in"], true)).toEqual([{ place: "in", live: "[secret]", desired: "[secret]" }]);
  });

  test("a live list is spelt and ordered as the program has it, each item once", () => {
    const list = unordered(texts);
    expect(speltLike(list, ["c", "b", "a"], ["a", "b"])).toEqual(["a", "b", "c"]);
    expect(speltLike(texts, ["c", "b", "a"], ["a", "b"])).toEqual(["c", "b", "a"]);
    expect(speltLike(list, ["a", "b", "b"], ["b", "a", "b"])).toEqual(["b", "a", "b"]);
  });
});

test("what a program may leave out of an existing resource: defaults, the usual choice and empty values, but no name", () => {
  expect(inputsForProgram(vpcs, { cidrBlock: "10.0.0.0/16", vpcName: "", tags: {} })).toEqual({ cidrBlock: "10.0.0.0/16", vpcName: "" });
  expect(defaultsOf(vpcs)).not.toHaveProperty("vpcName");
  const before = { cidrBlock: "10.0.0.0/16" };
  expect(leavingOut(vpcs, before, { ...before, vpcName: "net", tags: {} })).toEqual({ ...before, vpcName: "net" });
  expect(leavingOut(vpcs, { ...before, tags: {} }, { ...before, tags: {} })).toEqual({ ...before, tags: {} });
});

test("IDs of others are found by their form, also where a value is left out and stays", () => {
  const ids = z.object({ subnetIds: kept(z.array(idOf("subnet"))), groupId: kept(idOf("sg")) });
  const given = { subnetIds: ["subnet-1", unknown, "vpc-1"], groupId: "sg-1" };
  expect(idsIn(ids, given, ["native"])).toEqual([
    { path: ["native", "subnetIds", 0], prefix: "subnet", id: "subnet-1" },
    { path: ["native", "groupId"], prefix: "sg", id: "sg-1" },
  ]);
  expect(idsKept(ids, given, { groupId: "sg-2" }, ["native"])).toEqual([
    { path: ["native", "subnetIds", 0], prefix: "subnet", id: "subnet-1" },
  ]);
  expect(pathsLeftOut(ids, { groupId: "sg-2" }, ["native"], "subnet-9")).toEqual([["native", "subnetIds"]]);
  expect(pathsLeftOut(ids, { groupId: "sg-2" }, ["native"], "sg-9")).toEqual([]);
});

test("an ID has as many parts as its form, each with the platform's prefix", () => {
  const form = joined("cls-3f8a0c1e/np-3f8a0c1e", "clusterId", "nodePoolId");
  const like = (id: string) => isLike(form, id);
  expect([like("cls-1/np-2"), like("cls-1"), like("cls-1/"), like("np-1/np-2"), like("cls-1/cls-2")]).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([form.parts("cls-1/np-2"), form.parts("cls-1/")]).toEqual([{ clusterId: "cls-1", nodePoolId: "np-2" }, undefined]);
  const refused = (text: string) => validated(idOf("vpc"), text, ["vpcId"]).issues.map(({ sentence }) => sentence);
  expect(refused("vpc-1")).toEqual([]);
  for (const text of ["subnet-1", "vpc-1 ", "vpc-1/x"])
    expect(refused(text)).toEqual([`takes the id of a VPC, such as vpc-3f8a0c1e, not ${JSON.stringify(text)}`]);
});

test("paths as messages and programs have them", () => {
  expect([placeOf(["native", "ids", 0, "port"]), partOf("rules", "[2].port"), partOf("rules", "port")]).toEqual([
    ...["native.ids[0].port", "rules[2].port", "rules.port"],
  ]);
  const given = { permissions: [{ resource: "a" }, {}] };
  expect(expandPath(given, "permissions.*.resource")).toEqual(["permissions.0.resource", "permissions.1.resource"]);
  expect([expandPath(given, "permissions"), expandPath({}, "permissions.*")]).toEqual([["permissions"], []]);
  const urn = "urn:pulumi:dev::shop::a:b:C$container-platform:index:Vpc::a::b";
  expect([nameOf(urn), typeOf(urn), nameOf("x"), typeOf("x")]).toEqual(["a::b", "Vpc", "x", ""]);
});

test("unknown values are unknown on every path through them, and stop a rule that reads them", () => {
  expect([at({ a: unknown }, ["a", "b", 0]), at({ a: [{ b: 1 }] }, ["a", 0, "b"]), at({ a: 1 }, ["a", "b"])]).toEqual([
    unknown,
    1,
    undefined,
  ]);
  const inputs = throwingIfUnknown({ plain: "x", nested: { deep: unknown, known: 1 } });
  expect([inputs.plain, inputs.nested.known]).toEqual(["x", 1]);
  expect(() => inputs.nested.deep).toThrow(UnknownInput);
  expect([isAmong([{ a: "x" }], [3, "a"], "x"), isAmong({ a: ["x"] }, ["a", 0], "y")]).toEqual([true, false]);
  expect([orNone({ a: undefined, b: [] }), orNone({ a: [""] })]).toEqual([undefined, { a: [""] }]);
});

test("a state of a newer version, or edited by hand, is refused", () => {
  expect(privateStateOf({ __v: layout, __urn: "u" }).__urn).toBe("u");
  expect(() => privateStateOf({ __v: layout + 1 })).toThrow(`(layout ${layout + 1}, this one reads up to ${layout}): install that version`);
  expect(() => privateStateOf({ __left: "a" })).toThrow("invalid state: __left has an unexpected value");
  const inputs = { __urn: "u", __named: "n", __timeouts: {}, __get: true, __veiled: [] };
  expect(keptPrivateInputs({ ...inputs, __adopt: "x", __of: {}, cidrBlock: "y" })).toEqual(inputs);
});

describe("secrets", () => {
  test("are marked for the state at any depth, and others as a whole if asked", () => {
    const marked = withSecretsMarked(pools, { native: { password: "hush", subnetIds: ["a"] }, name: "x", labels: undefined }, ["name"]);
    expect(marked).toEqual({ native: { password: asSecret("hush"), subnetIds: ["a"] }, name: asSecret("x") });
    expect(unreadableSecrets(pools, { native: {} }).inputs).toContain("native.password");
    expect(unreadableSecrets(pools, { native: { password: "x" } }).inputs).not.toContain("native.password");
  });

  test("are hidden in all spellings; a short one only as a word, in messages about its resource", () => {
    const redactor = new Redactor();
    redactor.note(vpcs, "urn", { vpcName: 'say "hush"', cidrBlock: "2001:DB8::/32", tags: { shy: "abc", n: 7 }, dnsServers: unknown }, [
      ...["vpcName", "cidrBlock", "tags", "dnsServers"],
    ]);
    expect(redactor.hide(JSON.stringify({ a: 'say "hush"' }))).toBe('{"a":"[secret]"}');
    expect(redactor.hide("2001:db8::/32 2001:DB8::/32")).toBe("[secret] [secret]");
    expect(redactor.hide("abc abcd x.abc shy 7 77", "urn")).toBe("[secret] abcd x.abc [secret] [secret] 77");
    expect(redactor.hide(`abc 7 ${unknown}`)).toBe(`abc 7 ${unknown}`);
    expect(redactor.hideIn({ a: ["abc", 7, true, "abcd"] })).toEqual({ a: ["[secret]", "[secret]", true, "abcd"] });
  });
});

describe("a value is refused", () => {
  const says = (schema: z.ZodType, given: unknown) => validated(schema, given, ["in"]).issues.map(({ sentence }) => sentence);

  test.each<readonly [z.ZodType, unknown, readonly unknown[]]>([
    [z.string().length(3), "a", ["takes 3 characters, not 1"]],
    [z.string().length(3), "abcd", ["takes 3 characters, not 4"]],
    [z.string(), null, ["takes a string, not null"]],
    [z.enum(["a", "b"]), undefined, ["is required; it takes a, b"]],
    [z.enum(["a", "b"]), { a: "b" }, ["an object is not one of a, b"]],
    [
      z.strictObject({ diskSize: z.number(), diskType: z.string() }),
      { diskSize: 1, diskType: "x", size: 1, diskTyp: 1 },
      ["has no property size, diskTyp; maybe you meant diskSize, diskType"],
    ],
    [z.strictObject({ one: z.string() }), { one: "x", zone: "y", far: "z" }, ["has no property zone, far; it has one"]],
    [short(2), "𝒳𝒳", []],
    [short(2), "abc", ["takes at most 2 characters, not 3"]],
    [short(2), unknown, []],
  ])("%#: %j", (schema, given, expected) => {
    expect(says(schema, given)).toEqual(expected);
  });

  test("in its known parts, and the others have their defaults", () => {
    const schema = z.object({ a: z.string().min(2), b: z.string().default("x"), c: named(z.string()) });
    expect(validated(schema, { a: "1", c: unknown }, ["in"])).toMatchObject({ value: { a: "1", b: "x", c: unknown } });
    expect(says(schema, { a: unknown })).toEqual([]);
  });
});
