import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../catalogue/every-operation.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { isLong } from "../long.fixture.ts";
import type { Operation } from "../operation/operation.ts";
import { serve } from "../server/server.ts";
import type { JsonObject } from "../operation/codec.ts";
import { makeEverything, region } from "./everything.fixture.ts";
import { inputsFor } from "./inputs.fixture.ts";
import { folder, Lines, Program } from "./program.fixture.ts";
import { asOptions, asParts, filledIn } from "./ways.fixture.ts";

const program = new Program();
const lines = new Lines(program.home);
let world: string;
let inputs: ReturnType<typeof inputsFor>;

beforeAll(async () => {
  world = join(program.home, "everything.db");
  inputs = inputsFor(await makeEverything(world));
}, 60_000);

afterAll(() => {
  lines.end();
  program.remove();
});

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
    const { stdout } = await lines.run([...call, "--generate-cli-skeleton"]);
    return { json: JSON.stringify(filledIn(z.json().parse(JSON.parse(stdout)), body)) };
  },
};

/** Where a call goes. All these worlds have the same content. */
const endpoints = {
  inProcess: (file: string) => Promise.resolve({ CONTAINER_PLATFORM_ENDPOINT: `local:${file}` }),
  overHttp: async (file: string) => {
    const served = World.open(file);
    const server = await serve(served);
    onTestFinished(async () => {
      await server.close();
      served.close();
    });
    const { secretId, secretKey } = accessKeyOf(served);
    return {
      CONTAINER_PLATFORM_ENDPOINT: server.url,
      CONTAINER_PLATFORM_SECRET_ID: secretId,
      CONTAINER_PLATFORM_SECRET_KEY: secretKey,
    };
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
 * Which way goes where changes with the operation. In long runs, every way goes to both places, each in a process of its own.
 */
function trialsOf(index: number): Trial[] {
  const all: Way[] = ["options", "parts", "file", "skeleton"];
  if (isLong)
    return all.flatMap((way): Trial[] => [
      { way, endpoint: "inProcess", alone: true },
      { way, endpoint: "overHttp", alone: true },
    ]);
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
  const place = folder();
  const file = join(place, "world.db");
  copyFileSync(world, file);
  const call = [product, action, "--version", version, "--region", region];
  const { args = [], json } = await ways[way](inputs[keyOf(operation)] ?? {}, call);
  const input = way === "skeleton" && alone ? json : undefined;
  const source = join(place, "input.json");
  if (json !== undefined) writeFileSync(source, json);
  const from = json === undefined ? [] : ["--cli-input-json", `file://${input === undefined ? source : "-"}`];
  const written = [...call, ...args, ...from];
  const environment = await endpoints[endpoint](file);
  const { code, stdout, stderr } = await (alone
    ? program.run(written, { environment, ...(input !== undefined && { input }) })
    : lines.run(written, environment));
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
