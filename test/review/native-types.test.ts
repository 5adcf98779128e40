import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../provider/src/review/policy/evaluate.ts";
import { noSettings } from "../../provider/src/review/policy/settings/settings.ts";
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

describe("the settings of the plugin are its own provider's", () => {
  const provider = (name: string, inputs: object) => ({
    ...{ urn: `urn:pulumi:test::project::pulumi:providers:container-platform::${name}`, custom: true, id: "1", inputs, outputs: {} },
    type: "pulumi:providers:container-platform",
  });
  const changeOf = (name: string, before: object, after: object) => {
    const [oldState, newState] = [provider(name, before), provider(name, after)];
    const step = { op: "update", urn: newState.urn, oldState, newState, detailedDiff: null };
    return reviewOf(step, { op: "same", urn: urn(ours), oldState: state(ours), newState: state(ours), detailedDiff: null });
  };

  test.for([
    ["tags that new resources get", { defaultTags: '{"team":"b"}' }, "nothing"],
    ["the pace of calls", { callsPerSecond: "5" }, "nothing"],
    ["new credentials of the same identity", { secretKey: "other", token: "other" }, "nothing"],
    ["another region", { region: "ap-singapore" }, "needs-approval"],
    ["another platform", { endpoint: "https://elsewhere.example" }, "needs-approval"],
    ["another account", { secretId: "other" }, "needs-approval"],
    ["another profile", { profile: "other" }, "needs-approval"],
  ] as const)("%s: it needs approval if it says where resources are", ([, after, verdict]) => {
    expect(changeOf("default", { endpoint: "local" }, { endpoint: "local", ...after }).verdict).toBe(verdict);
  });

  test("a provider of the program is reviewed whatever changes, as it is with dynamic resources", () => {
    expect(changeOf("far", { defaultTags: "{}" }, { defaultTags: '{"team":"b"}' }).verdict).toBe("needs-approval");
  });
});
