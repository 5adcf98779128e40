import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../catalogue.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/world.ts";
import { isLong } from "../long.fixture.ts";
import type { Operation } from "../operation.ts";
import { serve } from "../server/server.ts";
import type { JsonObject } from "../wire.ts";
import { makeEverything, region } from "./everything.fixture.ts";
import { inputsFor } from "./inputs.fixture.ts";
import { folder, Program } from "./program.fixture.ts";
import { asOptions, asParts, filledIn } from "./ways.fixture.ts";

const program = new Program();
let world: string;
let inputs: ReturnType<typeof inputsFor>;

beforeAll(async () => {
  world = join(program.home, "everything.db");
  inputs = inputsFor(await makeEverything(world));
}, 60_000);

afterAll(() => program.remove());

function keyOf({ product, action, version }: Operation): string {
  const key = `${product} ${action}`;
  return Object.hasOwn(inputs, `${key} ${version}`) ? `${key} ${version}` : key;
}

/** How a call is written, besides its operation: words, and what is on the standard input. */
interface Written {
  readonly args: readonly string[];
  readonly input?: string;
}

const ways = {
  options: (body: JsonObject): Written => ({ args: asOptions(body) }),
  parts: (body: JsonObject): Written => ({ args: asParts(body) }),
  file: (body: JsonObject, place: string): Written => {
    const file = join(place, "input.json");
    writeFileSync(file, JSON.stringify(body, undefined, 2));
    return { args: ["--cli-input-json", `file://${file}`] };
  },
  /** What the program itself prints as a form, filled in. */
  skeleton: async (body: JsonObject, _place: string, call: readonly string[]): Promise<Written> => {
    const { stdout } = await program.run([...call, "--generate-cli-skeleton"]);
    return { args: ["--cli-input-json", "file://-"], input: JSON.stringify(filledIn(z.json().parse(JSON.parse(stdout)), body)) };
  },
};

/** Where a call goes: a world that is as the others are. */
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

/** Each way once: two of them in process and two over HTTP, the other ones for the next operation; all at both in long runs. */
function pairsOf(index: number): [Way, Endpoint][] {
  const all: Way[] = ["options", "parts", "file", "skeleton"];
  if (isLong)
    return all.flatMap((way): [Way, Endpoint][] => [
      [way, "inProcess"],
      [way, "overHttp"],
    ]);
  return all.map((way, place) => [way, (place + index) % 2 === 0 ? "inProcess" : "overHttp"]);
}

const told = z.record(z.string(), z.json());

/** Exit code, and what was answered or refused, without the id of the call. */
async function outcome(operation: Operation, way: Way, endpoint: Endpoint) {
  const { product, action, version } = operation;
  const place = folder();
  const file = join(place, "world.db");
  copyFileSync(world, file);
  const call = [product, action, "--version", version, "--region", region];
  const { args, ...given } = await ways[way](inputs[keyOf(operation)] ?? {}, place, call);
  const { code, stdout, stderr } = await program.run([...call, ...args], { environment: await endpoints[endpoint](file), ...given });
  const { RequestId: id, ...body } = stdout === "" ? { RequestId: /requestId:(\S+)/.exec(stderr)?.[1] } : told.parse(JSON.parse(stdout));
  // Some ways put secrets on the command line, and are warned of that.
  const said = stderr.replace(/^cpcli: warning: .*\n/, "").replace(/ requestId:.*/, "");
  return { code, body, said, hasId: typeof id === "string" && /^[0-9a-f-]{36}$/.test(id) };
}

test("there is an input of every operation, and of no other", () => {
  expect(catalogue.map(keyOf).toSorted()).toEqual(Object.keys(inputs).toSorted());
});

test.for(catalogue.map((operation, index) => ({ operation, index })))(
  "$operation.product $operation.action $operation.version",
  async ({ operation, index }) => {
    const outcomes = await Promise.all(pairsOf(index).map(([way, endpoint]) => outcome(operation, way, endpoint)));
    const [first] = outcomes;
    for (const each of outcomes) expect(each).toEqual(first);
    // The client cannot give the one parameter that this action needs (specification, Cluster service operations, rule 1).
    const isRefused = operation.action === "RotateClusterToken";
    expect([first?.code, first?.hasId]).toEqual([isRefused ? 254 : 0, true]);
    expect(first?.said.includes("code:MissingParameter")).toBe(isRefused);
    expect(first?.said === "").toBe(!isRefused);
  },
);
