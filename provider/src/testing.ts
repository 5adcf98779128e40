/** A stack of one's own for tests: a program, deployed by Pulumi's engine on a local platform, all of which goes afterwards. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Cloud, readRecord, type RecordedCall } from "@container-platform/sdk";
import { LocalControl, LocalPlatform, type Pace, World, type WorldControl } from "@container-platform/sdk/local";
import { automation } from "@pulumi/pulumi";
import { namespace } from "./runtime/configuration.ts";
import { inlineProject, type Project, projectOf, writeProject } from "./testing/project.ts";
import { apartFromOthers, linkPackages, surroundingsIn } from "./testing/surroundings.ts";

/** A program: a function that makes resources and answers the stack's outputs, or a folder with a Pulumi.yaml. */
export type Program = automation.PulumiFn | string;

export interface TestStackOptions {
  /** Configuration by full name, such as `my-platform:nodes`. The region is `eu-frankfurt` unless set here or in the folder's project. */
  readonly config?: Readonly<Record<string, string>>;
  /** How fast states change on the platform; `instant` unless given. */
  readonly pace?: Pace;
  /** What the platform draws ids and keys from; `test` unless given. The same seed and calls give the same ids. */
  readonly seed?: string;
}

/** What can be said for one run of the engine. */
export type RunOptions = Pick<
  automation.UpOptions,
  "refresh" | "expectNoChanges" | "target" | "targetDependents" | "replace" | "parallel" | "continueOnError" | "signal"
>;

/** What became of a run of the engine. */
export interface Outcome {
  /**
   * What was done to each resource, or would be, in order: `{ "Vpc demo": ["create"] }`. Resources that stay as they are, the stack
   * and providers are left out.
   */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** Warnings that were shown. */
  readonly warnings: readonly string[];
  /** All that the engine printed. */
  readonly output: string;
}

const stackName = "test";

/**
 * A stack of one's own, on a platform of its own. Pulumi's state, its configuration and the platform are in a folder that goes when
 * the stack is disposed of. Neither the person's stacks nor a platform that serves others are reached, whatever the environment,
 * the project or a `Provider` of the program say. It needs the `pulumi` command on the PATH.
 *
 * @example
 * await using stack = await TestStack.create(async () => {
 *   const { vpcId } = new Vpc("demo", { cidrBlock: "10.0.0.0/16" });
 *   return { vpcId };
 * });
 * expect((await stack.up()).operations).toEqual({ "Vpc demo": ["create"] });
 */
export class TestStack implements AsyncDisposable {
  /** The platform's clock, pace, faults and snapshots. */
  readonly world: WorldControl;
  readonly #folder: string;
  readonly #platform: LocalPlatform;
  readonly #project: Project;
  readonly #stack: automation.Stack;
  /** Those of the last `up`, until something else was run. */
  #outputs: automation.OutputMap | undefined;

  private constructor(folder: string, platform: LocalPlatform, project: Project, stack: automation.Stack) {
    this.world = new LocalControl(platform.world);
    this.#folder = folder;
    this.#platform = platform;
    this.#project = project;
    this.#stack = stack;
  }

  /**
   * Makes the stack and its platform. Deploys nothing yet.
   *
   * @throws InputError if the folder has no Pulumi.yaml.
   */
  static async create(program: Program, { config = {}, pace = "instant", seed = "test" }: TestStackOptions = {}): Promise<TestStack> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-test-")));
    const platform = new LocalPlatform(World.open(worldFileIn(folder), { pace, seed }));
    try {
      const envVars = surroundingsIn(folder, { endpoint: endpointIn(folder), record: recordIn(folder) });
      return await apartFromOthers(async () => {
        const pulumiCommand = await (command ??= automation.PulumiCommand.get());
        const project = typeof program === "string" ? await projectOf(resolve(program), pulumiCommand) : inlineProject;
        if (typeof program !== "string") linkPackages(folder);
        writeProject(folder, project, configurationIn(folder, project, config));
        const options = { workDir: folder, envVars, pulumiCommand, ...(typeof program !== "string" && { program }) };
        const stack = await automation.Stack.create(stackName, await automation.LocalWorkspace.create(options));
        return new TestStack(folder, platform, project, stack);
      });
    } catch (error) {
      await remove(folder, platform);
      throw error;
    }
  }

  /** Sets the whole configuration anew, as that of `create`. */
  configure(config: Readonly<Record<string, string>>): void {
    writeProject(this.#folder, this.#project, configurationIn(this.#folder, this.#project, config));
  }

  /** `pulumi up`. Throws if it fails; the message has all that the engine printed. */
  up(options: RunOptions = {}): Promise<Outcome> {
    return this.#run(async (watching) => {
      const result = await this.#stack.up({ ...options, ...watching });
      this.#outputs = result.outputs;
      return result;
    });
  }

  /** `pulumi preview`. */
  preview(options: RunOptions = {}): Promise<Outcome> {
    return this.#run((watching) => this.#stack.preview({ ...options, ...watching }));
  }

  /** `pulumi refresh`. */
  refresh(options: Pick<RunOptions, "expectNoChanges" | "target" | "parallel" | "signal"> = {}): Promise<Outcome> {
    return this.#run((watching) => this.#stack.refresh({ ...options, ...watching }), "afterwards");
  }

  /** `pulumi destroy`. Disposing of the stack does not need it. */
  destroy(options: Pick<RunOptions, "refresh" | "target" | "parallel" | "continueOnError" | "signal"> = {}): Promise<Outcome> {
    return this.#run((watching) => this.#stack.destroy({ ...options, ...watching }));
  }

  /** The stack's outputs, secrets in clear. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    this.#outputs ??= await apartFromOthers(() => this.#stack.outputs());
    return Object.fromEntries(Object.entries(this.#outputs).map(([name, output]): [string, unknown] => [name, output.value]));
  }

  /** The calls that the program and its resources have made so far. */
  calls(): readonly RecordedCall[] {
    return readRecord(recordIn(this.#folder));
  }

  /** A region of the platform, to look at it or to change it behind Pulumi's back. */
  cloud(region = "eu-frankfurt"): Cloud {
    return new Cloud({ transport: this.#platform, region });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await remove(this.#folder, this.#platform);
  }

  /** @param found whether the engine knows what it does to a resource before it does it; in a refresh it finds that out */
  async #run(run: (watching: Watching) => Promise<Printed>, found: "beforehand" | "afterwards" = "beforehand"): Promise<Outcome> {
    this.#outputs = undefined;
    const operations: Record<string, string[]> = {};
    const warnings: string[] = [];
    const onEvent = ({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: automation.EngineEvent) => {
      if (diagnosticEvent?.severity === "warning") warnings.push(diagnosticEvent.message.trim());
      const { metadata } = (found === "beforehand" ? resourcePreEvent : resOutputsEvent) ?? {};
      if (metadata && isTold(metadata)) (operations[nameOf(metadata.urn)] ??= []).push(metadata.op);
    };
    const { stdout, stderr } = await apartFromOthers(() => run({ onEvent, color: "never" }));
    return { operations, warnings, output: stdout + stderr };
  }
}

/**
 * Makes a stack and deploys it.
 *
 * @example
 * await using stack = await deploy("infrastructure", { config: { "my-platform:nodes": "2" } });
 * const { kubeconfig } = await stack.outputs();
 */
export async function deploy(program: Program, options?: TestStackOptions): Promise<TestStack> {
  const stack = await TestStack.create(program, options);
  try {
    await stack.up();
    return stack;
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

interface Watching {
  readonly onEvent: (event: automation.EngineEvent) => void;
  readonly color: "never";
}

let command: Promise<automation.PulumiCommand> | undefined;

const worldFileIn = (folder: string) => join(folder, "world.db");
const recordIn = (folder: string) => join(folder, "calls.jsonl");
const endpointIn = (folder: string) => `local:${worldFileIn(folder)}`;

/** What the platform is goes last. A program that runs in this process reads it here, not in the engine's environment. */
function configurationIn(folder: string, { config = {} }: Project, given: Readonly<Record<string, string>>): Record<string, string> {
  const region = `${namespace}:region`;
  const platform = { [`${namespace}:endpoint`]: endpointIn(folder), [`${namespace}:record`]: recordIn(folder) };
  return { ...(!(region in config) && { [region]: "eu-frankfurt" }), ...given, ...platform };
}

function isTold({ op, type }: automation.StepEventMetadata): boolean {
  return !["same", "refresh", "read"].includes(op) && type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");
}

function nameOf(urn: string): string {
  const [, , type = "", name = ""] = urn.split("::");
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}

async function remove(folder: string, platform: LocalPlatform): Promise<void> {
  await platform.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
