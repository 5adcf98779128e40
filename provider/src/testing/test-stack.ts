import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Cloud, readRecord, type RecordedCall } from "@container-platform/sdk";
import { LocalControl, LocalPlatform, type TimeScale, World, type WorldControl } from "@container-platform/sdk/local";
import { automation } from "@pulumi/pulumi";
import { namespace } from "../runtime/configuration.ts";
import { engineEnvironment, linkPackages, withoutUserSettings } from "./environment.ts";
import { type Outcome, outcomeCollector } from "./outcome.ts";
import { guardListeners, reporting } from "./rejections.ts";
import { inlineProject, type Project, projectOf, writeProject } from "./project.ts";

/** A program: a function that creates resources and returns the stack's outputs, or a folder with a Pulumi.yaml. */
export type Program = automation.PulumiFn | string;

export interface TestStackOptions {
  /** Configuration by full name, such as `my-platform:nodes`. The region is `eu-frankfurt` unless set here or in the folder's project. */
  readonly config?: Readonly<Record<string, string>>;
  /** How fast resources change their states on the platform. Default: `instant`. */
  readonly timeScale?: TimeScale;
  /** What the platform draws ids and keys from. Default: `test`. The same seed and calls give the same ids. */
  readonly seed?: string;
}

/** Options of one run of the engine. */
export type RunOptions = Pick<
  automation.UpOptions,
  "refresh" | "expectNoChanges" | "target" | "targetDependents" | "replace" | "parallel" | "continueOnError" | "signal"
>;

const stackName = "test";

/**
 * A stack for one test, on its own local platform. Pulumi's state, its configuration and the platform are in a temporary folder,
 * which is removed when the stack is disposed of. The test reaches neither the user's own stacks nor any other platform, whatever
 * the environment, the project or a `Provider` of the program say. It needs the `pulumi` command on the PATH.
 *
 * @example
 * await using stack = await TestStack.create(async () => {
 *   const { vpcId } = new Vpc("demo", { cidrBlock: "10.0.0.0/16" });
 *   return { vpcId };
 * });
 * expect((await stack.up()).operations).toEqual({ "Vpc demo": ["create"] });
 */
export class TestStack implements AsyncDisposable {
  /** The clock, time scale, faults and snapshots of the emulator. */
  readonly emulator: WorldControl;
  readonly #folder: string;
  readonly #platform: LocalPlatform;
  readonly #project: Project;
  readonly #stack: automation.Stack;
  /** The outputs that were asked for last, until the engine runs again. */
  #outputs: automation.OutputMap | undefined;

  private constructor(folder: string, platform: LocalPlatform, project: Project, stack: automation.Stack) {
    this.emulator = new LocalControl(platform.world);
    this.#folder = folder;
    this.#platform = platform;
    this.#project = project;
    this.#stack = stack;
  }

  /**
   * Creates the stack and its platform. Deploys nothing yet.
   *
   * @throws InputError if the folder has no Pulumi.yaml.
   */
  static async create(program: Program, { config = {}, timeScale = "instant", seed = "test" }: TestStackOptions = {}): Promise<TestStack> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-test-")));
    const platform = new LocalPlatform(World.open(worldFileIn(folder), { timeScale, seed }));
    try {
      const envVars = engineEnvironment(folder, endpointIn(folder), recordIn(folder));
      return await withoutUserSettings(async () => {
        const pulumiCommand = await (command ??= automation.PulumiCommand.get());
        const project = typeof program === "string" ? await projectOf(resolve(program), pulumiCommand) : inlineProject;
        if (typeof program !== "string") linkPackages(folder);
        writeProject(folder, project, configurationIn(folder, project, config));
        const options = { workDir: folder, envVars, pulumiCommand, ...(typeof program !== "string" && { program: reporting(program) }) };
        const stack = await automation.Stack.create(stackName, await automation.LocalWorkspace.create(options));
        return new TestStack(folder, platform, project, withoutAftermath(stack));
      });
    } catch (error) {
      await remove(folder, platform);
      throw error;
    }
  }

  /** Replaces the whole configuration. Takes what the option `config` of `create` takes. */
  configure(config: Readonly<Record<string, string>>): void {
    writeProject(this.#folder, this.#project, configurationIn(this.#folder, this.#project, config));
  }

  /** `pulumi up`. Throws if it fails; the message has all that the engine printed. */
  up(options: RunOptions = {}): Promise<Outcome> {
    return this.#run((hooks) => this.#stack.up({ ...options, ...hooks }));
  }

  /** `pulumi preview`. */
  preview(options: RunOptions = {}): Promise<Outcome> {
    return this.#run((hooks) => this.#stack.preview({ ...options, ...hooks }));
  }

  /** `pulumi refresh`. */
  refresh(options: Pick<RunOptions, "expectNoChanges" | "target" | "parallel" | "signal"> = {}): Promise<Outcome> {
    return this.#run((hooks) => this.#stack.refresh({ ...options, ...hooks }), "after");
  }

  /** `pulumi destroy`. It need not be called before the stack is disposed of. */
  destroy(options: Pick<RunOptions, "refresh" | "target" | "parallel" | "continueOnError" | "signal"> = {}): Promise<Outcome> {
    return this.#run((hooks) => this.#stack.destroy({ ...options, ...hooks }));
  }

  /** The stack's outputs, secrets in clear. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    this.#outputs ??= await withoutUserSettings(() => this.#stack.workspace.stackOutputs(stackName));
    return Object.fromEntries(Object.entries(this.#outputs).map(([name, output]): [string, unknown] => [name, output.value]));
  }

  /** The calls that the program and its resources have made so far. */
  calls(): readonly RecordedCall[] {
    return readRecord(recordIn(this.#folder));
  }

  /** A client of the platform in a region, to read it or to change it behind Pulumi's back. */
  cloud(region = "eu-frankfurt"): Cloud {
    return new Cloud({ transport: this.#platform, region });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await remove(this.#folder, this.#platform);
  }

  async #run(
    run: (hooks: Pick<automation.UpOptions, "onEvent" | "color">) => Promise<Pick<automation.UpResult, "stdout" | "stderr">>,
    reported: "before" | "after" = "before",
  ): Promise<Outcome> {
    this.#outputs = undefined;
    const collector = outcomeCollector(reported);
    guardListeners();
    const { stdout, stderr } = await withoutUserSettings(() => run({ onEvent: collector.onEvent, color: "never" }));
    return collector.outcome(stdout + stderr);
  }
}

/**
 * Creates a stack and deploys it.
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

/**
 * After each run, the Automation API starts the engine up to three times more, for the outputs and the entry in the history. A test has
 * no use for the entry, and asks for the outputs itself.
 */
function withoutAftermath(stack: automation.Stack): automation.Stack {
  return Object.assign(stack, { outputs: () => Promise.resolve({}), info: () => Promise.resolve(undefined) });
}

let command: Promise<automation.PulumiCommand> | undefined;

const worldFileIn = (folder: string) => join(folder, "world.db");
const recordIn = (folder: string) => join(folder, "calls.jsonl");
const endpointIn = (folder: string) => `local:${worldFileIn(folder)}`;

/** The platform's settings go last, so that they win. A program that runs in this process reads them here, not in the engine's environment. */
function configurationIn(folder: string, { config = {} }: Project, given: Readonly<Record<string, string>>): Record<string, string> {
  const region = `${namespace}:region`;
  const platform = {
    [`${namespace}:endpoint`]: endpointIn(folder),
    [`${namespace}:record`]: recordIn(folder),
    // A function with a `Provider` that names another platform stays here, too.
    [`${namespace}:confined`]: "true",
  };
  return { ...(!(region in config) && { [region]: "eu-frankfurt" }), ...given, ...platform };
}

async function remove(folder: string, platform: LocalPlatform): Promise<void> {
  await platform.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
