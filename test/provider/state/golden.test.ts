import { readdirSync, readFileSync } from "node:fs";
import type { Snapshot } from "@container-platform/sdk/local";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import type { Deployment } from "../../support/deployment.ts";
import { testedShell } from "../../support/shell.ts";
import { inClear, isSecret, type Props, visible } from "../../support/structs.ts";
import { Stage, withoutHistory } from "../stage/stage.ts";

const golden = new URL("../../golden/", import.meta.url);
const versions = readdirSync(golden, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== "interrupted" ? [entry.name] : [],
);

/** How many kinds of resources the states have that were written before there were more. Any other state has all kinds. */
const kindsThen: Readonly<Record<string, number>> = { unmarked: 11, "0.1.0": 11 };

const props = z.record(z.string(), z.unknown());
const resource = z.object({ urn: z.string(), id: z.string(), type: z.string(), inputs: props, outputs: props });
const stateSchema = z.object({ deployment: z.object({ resources: z.array(z.object({ type: z.string() }).loose()) }) });
type Written = z.output<typeof resource>;

const textOf = (version: string, file: string): string => readFileSync(new URL(`${version}/${file}`, golden), "utf8");

describe.each(versions)("a stack that version %s has written", (version) => {
  let stage: Stage;
  let all: { readonly written: Written; readonly one: Deployment }[];
  beforeAll(async () => {
    stage = Stage.here();
    const world: Snapshot = JSON.parse(textOf(version, "world.json"));
    await stage.goBack(world);
    all = resourcesOf(version).map((written) => ({ written, one: revived(stage, written) }));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test("is refreshed and deployed without a difference", async () => {
    expect(new Set(all.map(({ written }) => written.type)).size).toBe(kindsThen[version] ?? kinds.length);
    for (const { written, one } of all) {
      const before = comparable(one);
      const args = visible(written.inputs);
      expect(await stage.writes(() => one.refresh()), written.urn).toEqual([]);
      expect(comparable(one), written.urn).toEqual(before);
      expect(await one.preview(args), written.urn).toBe("nothing");
      expect(await stage.writes(() => one.up(args)), written.urn).toEqual([]);
    }
    // Advice on a value is no difference of it.
    const told = stage.host.lines.filter(({ severity, message }) => severity > 1 && !message.includes("[Provider.Unwise]"));
    expect(told).toEqual([]);
  });

  test("is changed in place, and destroyed completely", async () => {
    const tagged = all.filter(({ one }) => one.state?.inputs["tags"] !== undefined);
    for (const { one } of tagged) {
      const args = { ...visible(one.state?.inputs ?? {}), tags: { team: "silver" } };
      expect(await one.up(args)).toBe("update");
      expect(await one.preview(args)).toBe("nothing");
    }
    expect(tagged.length).toBeGreaterThan(3);
    for (const { one } of all.toReversed()) await one.destroy();
    expect(withoutHistory(await stage.contents())).toEqual({});
  });
});

test("a state of a newer version is refused with a sentence that says what to do", async () => {
  await using stage = Stage.here();
  const one = changed(stage, { __v: 2, __home: { unknown: "to this version" } });
  const says =
    "the state was written by a newer version of @container-platform/pulumi or its plugin (layout 2, this one reads up to 1): install that version";
  await expect(one.preview({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(says);
  await expect(one.refresh()).rejects.toThrow(says);
  await expect(one.destroy()).rejects.toThrow(says);
  expect(await stage.calls(() => one.destroy().catch(() => undefined))).toEqual([]);
});

test("a state that no version has written is refused with the name of what is wrong, and without its value", async () => {
  await using stage = Stage.here();
  const wrong = {
    __urn: 1,
    __veiled: "cidrBlock",
    __timeouts: { create: 5 },
    __home: { endpoint: "local" },
    __left: [1],
    __unborn: "true",
    __failed: null,
    __said: [],
    __v: 0.5,
  };
  const parts: Readonly<Record<string, string>> = { __timeouts: ".create", __home: ".region", __left: "[0]" };
  for (const [key, value] of Object.entries(wrong)) {
    const one = changed(stage, { [key]: value });
    const path = `${key}${parts[key] ?? ""}`;
    const says = `invalid state: ${path} has an unexpected value, so the state may have been edited by hand`;
    await expect(one.refresh()).rejects.toThrow(says);
    expect(await stage.calls(() => one.destroy().catch(() => undefined))).toEqual([]);
  }
});

/** The resources of an exported stack, with secrets in clear. */
function resourcesOf(version: string): readonly Written[] {
  const { resources } = stateSchema.parse(JSON.parse(textOf(version, "state.json"), revealed)).deployment;
  const ours = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/container-platform:"));
  return ours.map((one) => resource.parse(one));
}

function revealed(_: string, value: unknown): unknown {
  return isSecret(value) && typeof value["plaintext"] === "string" ? JSON.parse(value["plaintext"]) : value;
}

/** The resource as the engine would find it in its state, with the endpoint of the world of this test. */
function revived(stage: Stage, { urn, id, type, inputs, outputs }: Written): Deployment {
  const [, , , name = ""] = urn.split("::");
  const privateInputs = Object.fromEntries(Object.entries(inputs).filter(([key]) => key.startsWith("__")));
  const one = stage.deployment(type.slice(type.lastIndexOf(":") + 1), name, privateInputs);
  const home = props.parse(outputs["__home"]);
  one.state = {
    id,
    inputs: inClear(inputs),
    outputs: inClear({ ...outputs, __home: { ...home, endpoint: stage.endpoint } }),
    unfinished: false,
  };
  return one;
}

function changed(stage: Stage, outputs: Props): Deployment {
  const [first] = resourcesOf("0.1.0");
  if (!first) throw new Error("there is no golden state");
  return revived(stage, { ...first, outputs: { ...first.outputs, ...outputs } });
}

/** A state, as far as both shells write the same: the plugin leaves out what only the other one needs. */
function comparable({ state }: Deployment): unknown {
  if (testedShell === "dynamic" || !state) return state;
  return { ...state, inputs: visible(state.inputs), outputs: visible(state.outputs) };
}
