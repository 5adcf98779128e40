import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../provider/src/review/policy/evaluate.ts";
import { noSettings } from "../../provider/src/review/policy/settings.ts";
import { nameOf } from "../support/pulumi.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { recorded, reviewed, reviewedDrift, reviewOfTexts } from "./reviewed.ts";

/** The same changes in the types of the native plugin: whoever reviews them reads the same. */

/** What the engine prints where the resources are the plugin's. */
function native(text: string): string {
  return text
    .replaceAll(/pulumi-nodejs:dynamic\/container-platform:(\w+)/g, "container-platform:index:$1")
    .replaceAll("pulumi:providers:pulumi-nodejs", "pulumi:providers:container-platform")
    .replaceAll(/"__provider": ?"(?:[^"\\]|\\.)*",?/g, "");
}

const previews = readdirSync(join(import.meta.dirname, "recorded")).flatMap((file) => /^(\w+)\.json$/.exec(file)?.[1] ?? []);

test.for(previews)("%s has the same findings, causes, order and undo", (name) => {
  const texts = recorded(name);
  const natives = texts.map(native);
  expect(natives.join()).not.toContain("pulumi-nodejs");

  const [here, there] = [natives, texts].map((given): unknown => JSON.parse(native(JSON.stringify(reviewOfTexts(given)))));
  // It is a hash of all, with the URNs.
  expect(here).toEqual({ ...Object(there), fingerprint: expect.any(String) });
});

/** What a review finds, whatever the order in which the engine has told it, and the ids. */
function foundIn({ verdict, reasons, changes, counts }: Report): unknown {
  return {
    verdict,
    reasons: reasons.map(({ code, called, property }) => [called, code, property].join(" ")).toSorted(),
    changes: changes
      .map(({ called, operation, causes, undo, order, properties }) => ({
        ...{ called, operation, order, undo: undo.possible, causes: causes.map((cause) => [cause.called, cause.property].join(" ")) },
        properties: properties.map(({ path }) => path).toSorted(),
      }))
      .toSorted((one, other) => one.called.localeCompare(other.called)),
    along: changes.slice(0, 1).map(({ takesAlong, touches }) => [...takesAlong, ...touches].map(nameOf).toSorted()),
    made: counts.create,
  };
}

test.for(previews)("the engine's own preview of %s, of native resources, has the findings of that of dynamic ones", (name) => {
  expect(recorded(name, "native").join()).not.toMatch(/"type": ?"pulumi-nodejs:dynamic/);
  expect(foundIn(reviewed(name, "native"))).toEqual(foundIn(reviewed(name)));
});

test("a refresh that found changes made outside of Pulumi tells the same of native resources", () => {
  expect(JSON.parse(native(JSON.stringify(reviewedDrift("drift", "native"))))).toEqual({
    ...Object(JSON.parse(native(JSON.stringify(reviewedDrift("drift"))))),
    fingerprint: expect.any(String),
  });
});

const reviewOf = (...steps: readonly object[]) => reviewOfTexts([JSON.stringify({ config: {}, steps, changeSummary: {} })]);
const urn = (type: string) => `urn:pulumi:test::project::${type}::net`;
const [dynamic, ours] = ["pulumi-nodejs:dynamic/container-platform:Vpc", "container-platform:index:Vpc"];
const state = (type: string) => ({ urn: urn(type), custom: true, id: "vpc-1", type, inputs: { cidrBlock: "10.0.0.0/16" }, outputs: {} });

describe("what goes from dynamic types to native ones", () => {
  test("by an alias, does not change", () => {
    const moved = { op: "same", urn: urn(ours), oldState: state(dynamic), newState: state(ours), detailedDiff: null };
    expect(reviewOf(moved).verdict).toBe("nothing");
  });

  test("by an import, is deleted: the process of the one does not know what that of the other imports", () => {
    const taken = { op: "import", urn: urn(ours), newState: state(ours), detailedDiff: null };
    const left = { op: "delete", urn: urn(dynamic), oldState: state(dynamic), detailedDiff: null };
    expect(reviewOf(taken, left).reasons.map(({ code, called }) => `${called}: ${code}`)).toEqual(["Vpc net: deletes"]);
  });
});

test("an exception for the URN of a dynamic resource holds for the native one", () => {
  const resource = (type: string) => `urn:pulumi:test::project::${type}:ClusterEndpoint::public`;
  const subject = (type: string) => ({
    ...{
      urn: resource(type),
      kind: "ClusterEndpoint" as const,
      type: `${type}:ClusterEndpoint`,
      name: "public",
      operation: "create" as const,
    },
    inputs: { isExtranet: true, allowedCidrBlocks: ["0.0.0.0/0"] },
  });
  const ofDynamic = "pulumi-nodejs:dynamic/container-platform";
  const exceptions = [...new Set(evaluate([subject(ofDynamic)], noSettings, "2026-01-31").map(({ rule }) => rule))].map((rule) => ({
    ...{ rule, resource: resource(ofDynamic), reason: "a fair", until: "2026-02-28" },
  }));
  expect(exceptions).not.toEqual([]);
  const outcomes = (type: string) => evaluate([subject(type)], { ...noSettings, exceptions }, "2026-01-31").map(({ outcome }) => outcome);
  expect(outcomes(ofDynamic)).toContain("excepted");
  expect(outcomes("container-platform:index")).toEqual(outcomes(ofDynamic));
});

describe("a provider whose settings change needs approval if they say where resources are", () => {
  const own = (...given: readonly string[]) => JSON.stringify({ name: "far", given });
  const changeOf = (called: string, before: object, after: object, others: readonly string[] = []) => {
    const [type = "", name = ""] = called.split(" ");
    const provider = (inputs: object) => ({
      ...{ urn: `urn:pulumi:test::project::pulumi:providers:${type}::${name}`, custom: true, id: "1", inputs, outputs: {} },
      type: `pulumi:providers:${type}`,
    });
    const [oldState, newState] = [provider(before), provider(after)];
    const same = ["pulumi-nodejs:dynamic/container-platform:Vpc", ...others].map((token) => {
      const state = { ...{ urn: `urn:pulumi:test::project::${token}::x`, type: token, custom: true, id: "1" }, inputs: {}, outputs: {} };
      return { op: "same", urn: state.urn, oldState: state, newState: state, detailedDiff: null };
    });
    return reviewOf({ op: "update", urn: newState.urn, oldState, newState, detailedDiff: null }, ...same).verdict;
  };
  const flat = (settings: object) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [`container-platform:${key}`, value]));

  test.for([
    ["tags that new resources get", { defaultTags: '{"team":"b"}' }, "nothing"],
    ["the rate of API calls", { callsPerSecond: "5" }, "nothing"],
    ["new credentials of the same identity", { secretKey: "other", token: "other" }, "nothing"],
    ["another region", { region: "ap-singapore" }, "needs-approval"],
    ["another platform", { endpoint: "https://elsewhere.example" }, "needs-approval"],
    ["another account", { secretId: "other" }, "needs-approval"],
    ["another profile", { profile: "other" }, "needs-approval"],
    ["a setting of a later version", { brandNew: "x" }, "needs-approval"],
  ] as const)("%s", ([, change, verdict]) => {
    const [before, after] = [{ endpoint: "local" }, { endpoint: "local", ...change }];
    for (const name of ["default", "default_0_1_0", "far"]) expect(changeOf(`container-platform ${name}`, before, after)).toBe(verdict);
    expect(changeOf("pulumi-nodejs default", flat(before), flat(after))).toBe(verdict);
    const given = [
      { ...before, provider: own("endpoint") },
      { ...after, provider: own("endpoint", ...Object.keys(change)) },
    ] as const;
    expect(changeOf("pulumi-nodejs far", flat(given[0]), flat(given[1]))).toBe(verdict);
  });

  test("a setting of the program is not, unless dynamic resources of another package may read it", () => {
    const [before, after] = [flat({ region: "a" }), { ...flat({ region: "a" }), "platform:nodes": "4" }];
    expect(changeOf("pulumi-nodejs default", before, after)).toBe("nothing");
    expect(changeOf("pulumi-nodejs default", before, after, ["pulumi-nodejs:dynamic:Resource"])).toBe("needs-approval");
    expect(changeOf("pulumi-nodejs theirs", { "platform:nodes": "3" }, { "platform:nodes": "4" })).toBe("needs-approval");
  });

  test("an endpoint that the environment decides from now on is", () => {
    const settings = { endpoint: "local", region: "a" };
    const [before, after] = [
      { ...settings, provider: own("endpoint", "region") },
      { ...settings, provider: own("region") },
    ];
    expect(changeOf("pulumi-nodejs far", flat(before), flat(after))).toBe("needs-approval");
  });
});
