import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalControl } from "@container-platform/sdk/local";
import { z } from "zod";
import { operationsOf, type Outcome } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import type { Call, Ground, Moment, Named, RunOutcome } from "./ground.ts";
import type { Program } from "./program.ts";
import { textOf } from "./text.ts";

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  delete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const stateSchema = z.object({ deployment: z.object({ resources: z.array(resourceSchema).default([]) }) });
const secretSchema = z.object({ plaintext: z.string() }).transform(({ plaintext }) => z.string().parse(JSON.parse(plaintext)));

const ours = "pulumi-nodejs:dynamic/container-platform:";

/** A ground on which the real engine works. */
export class EngineGround implements Ground {
  readonly #stack: Stack;
  readonly printed = [];

  private constructor(stack: Stack) {
    this.#stack = stack;
  }

  static async open(): Promise<EngineGround> {
    return new EngineGround(await Stack.create({ program: "export {};\n" }));
  }

  get cloud() {
    return this.#stack.cloud();
  }

  get faults() {
    return this.#stack.faults;
  }

  async moment(): Promise<Moment> {
    return { world: await this.world(), state: (await this.#stack.ok("stack", "export")).stdout };
  }

  world() {
    return new LocalControl(this.#stack.world).snapshot();
  }

  async goTo({ world, state }: Moment): Promise<void> {
    await new LocalControl(this.#stack.world).restore(world);
    // The provider's journal.
    rmSync(join(this.#stack.folder, ".local"), { recursive: true, force: true });
    const file = join(this.#stack.folder, "state.json");
    writeFileSync(file, state);
    await this.#stack.ok("stack", "import", "--file", file);
  }

  anew(): Promise<readonly Call[]> {
    return Promise.resolve([]);
  }

  up(program: Program, { refresh = false } = {}): Promise<RunOutcome> {
    this.#stack.write(textOf(program));
    return this.#run("up", ...(refresh ? ["--refresh"] : []));
  }

  refresh(): Promise<RunOutcome> {
    return this.#run("refresh");
  }

  destroy(): Promise<RunOutcome> {
    return this.#run("destroy");
  }

  async named(): Promise<readonly Named[]> {
    const { deployment } = stateSchema.parse(JSON.parse((await this.#stack.ok("stack", "export")).stdout));
    return deployment.resources
      .filter(({ type }) => type.startsWith(ours))
      .map(({ urn, type, id, ...marks }) => ({
        type: type.slice(ours.length),
        name: urn.split("::")[3] ?? "",
        id,
        fate: marks.pendingReplacement ? "replaced" : marks.delete ? "condemned" : "stays",
      }));
  }

  contents() {
    return Promise.resolve(this.#stack.leftovers());
  }

  async tellsSecrets(): Promise<boolean> {
    const { stdout } = await this.#stack.ok("stack", "export", "--show-secrets");
    const { resources } = stateSchema.parse(JSON.parse(stdout)).deployment;
    const told = resources.flatMap(({ outputs }) => [outputs["token"], outputs["kubeconfig"]]).filter((value) => value !== undefined);
    const secrets = told.map((value) => secretSchema.parse(value));
    // What is marked as secret is encrypted wherever nobody asks to see it.
    const open = JSON.stringify(JSON.parse(stdout), (key, value: unknown) => (key === "plaintext" ? "" : value));
    return open.includes("PRIVATE KEY") || secrets.some((secret) => open.includes(JSON.stringify(secret).slice(1, -1)));
  }

  async #run(verb: string, ...args: readonly string[]): Promise<RunOutcome> {
    const before = this.#stack.calls().length;
    const outcome = await this.#stack.start(verb, "--yes", "--skip-preview", ...args).ended;
    const failure = outcome.code === 0 ? undefined : outcome.output;
    return { deeds: deedsOf(outcome), calls: this.#stack.calls().slice(before), failure };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

const deeds: Readonly<Record<string, string>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

function deedsOf(outcome: Outcome): readonly string[] {
  return Object.entries(operationsOf(outcome)).flatMap(([name, done]) =>
    done.flatMap((one) => (deeds[one] ? [`${deeds[one]} ${name}`] : [])),
  );
}
