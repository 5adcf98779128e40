import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../catalogue/every-operation.ts";
import { World } from "../local/store/world.ts";
import type { Operation } from "../operation/operation.ts";
import { scratchOfFile } from "../scratch.fixture.ts";
import { served } from "../server/stage.fixture.ts";
import type { JsonObject } from "../operation/codec.ts";
import { makeEverything, region } from "./everything.fixture.ts";
import { inputsFor } from "./inputs.fixture.ts";
import { keyIn, User } from "./user.fixture.ts";
import { asOptions, asParts, filledIn } from "./ways.fixture.ts";

const folder = scratchOfFile();
const world = join(folder, "everything.db");
const inputs = inputsFor(await makeEverything(world));

function keyOf({ product, action, version }: Operation): string {
  const key = `${product} ${action}`;
  return Object.hasOwn(inputs, `${key} ${version}`) ? `${key} ${version}` : key;
}

/** How the parameters of a call are written: as words, or as JSON. */
interface Written {
  readonly args?: readonly string[];
  readonly json?: string;
}

const ways = {
  options: (body: JsonObject): Written => ({ args: asOptions(body) }),
  parts: (body: JsonObject): Written => ({ args: asParts(body) }),
  file: (body: JsonObject): Written => ({ json: JSON.stringify(body, undefined, 2) }),
  /** The skeleton that the program prints, filled in. */
  skeleton: async (body: JsonObject, call: readonly string[]): Promise<Written> => {
    const { stdout } = await new User().run(...call, "--generate-cli-skeleton");
    return { json: JSON.stringify(filledIn(z.json().parse(JSON.parse(stdout)), body)) };
  },
};

/** Where a call goes. All these worlds have the same content. */
const endpoints = {
  inProcess: (file: string) => Promise.resolve({ CONTAINER_PLATFORM_ENDPOINT: `local:${file}` }),
  overHttp: async (file: string) => {
    const { url, key } = await served(World.open(file));
    return { CONTAINER_PLATFORM_ENDPOINT: url, ...keyIn(key) };
  },
};

type Way = keyof typeof ways;
type Endpoint = keyof typeof endpoints;

interface Trial {
  readonly way: Way;
  readonly endpoint: Endpoint;
  /** Whether the call is a process of its own, or one line of many in a shared process. */
  readonly alone: boolean;
}

/**
 * Each way once for an operation: two on a local world and two over HTTP, and, of every fifth operation, one of these in a process of its own.
 * Which way goes where changes with the operation.
 */
function trialsOf(index: number): Trial[] {
  const all: Way[] = ["options", "parts", "file", "skeleton"];
  return all.map((way, place) => ({
    way,
    endpoint: (place + index) % 2 === 0 ? "inProcess" : "overHttp",
    alone: index % 5 === 0 && (index / 5) % all.length === place,
  }));
}

const told = z.record(z.string(), z.json());

/** Exit code and answer or refusal, without the id of the call. JSON is given in a file, or on the standard input. */
async function outcome(operation: Operation, { way, endpoint, alone }: Trial) {
  const { product, action, version } = operation;
  const user = new User();
  copyFileSync(world, user.at("world.db"));
  Object.assign(user.env, await endpoints[endpoint](user.at("world.db")));
  const call = [product, action, "--version", version, "--region", region];
  const { args = [], json } = await ways[way](inputs[keyOf(operation)] ?? {}, call);
  // What is filled in is read from the standard input, what is in a file from there.
  const input = way === "skeleton" ? json : undefined;
  if (json !== undefined) writeFileSync(user.at("input.json"), json);
  const from = json === undefined ? [] : ["--cli-input-json", `file://${input === undefined ? user.at("input.json") : "-"}`];
  const written = [...call, ...args, ...from];
  const { code, stdout, stderr } = await (alone ? user.runAlone(written, input) : user.runWith(input ?? "", ...written));
  const { RequestId: id, ...body } = stdout === "" ? { RequestId: /requestId:(\S+)/.exec(stderr)?.[1] } : told.parse(JSON.parse(stdout));
  // Some ways put secrets on the command line, which prints a warning.
  const said = stderr.replace(/^cpcli: warning: .*\n/, "").replace(/ requestId:.*/, "");
  return { code, body, said, hasId: typeof id === "string" && /^[0-9a-f-]{36}$/.test(id) };
}

test("there is an input of every operation, and of no other", () => {
  expect(catalogue.map(keyOf).toSorted()).toEqual(Object.keys(inputs).toSorted());
});

test.for(catalogue.map((operation, index) => ({ operation, index })))(
  "$operation.product $operation.action $operation.version",
  async ({ operation, index }) => {
    const outcomes = await Promise.all(trialsOf(index).map((trial) => outcome(operation, trial)));
    const [first] = outcomes;
    for (const each of outcomes) expect(each).toEqual(first);
    // The client does not offer the one parameter that this action needs (specification, Cluster service operations, rule 1).
    const isRefused = operation.action === "RotateClusterToken";
    expect([first?.code, first?.hasId]).toEqual([isRefused ? 254 : 0, true]);
    expect(first?.said.includes("code:MissingParameter")).toBe(isRefused);
    expect(first?.said === "").toBe(!isRefused);
  },
);
