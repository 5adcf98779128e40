import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { accessKeyOf, Faults, LocalPlatform, type TimeScale, World } from "@container-platform/sdk/local";
import { type PlatformServer, serve } from "@container-platform/sdk/server";
import { deploymentIn, resourcesOf, type StateOfResource } from "./backend.ts";
import { keyEnvironment, writeEmptyStack } from "./new-stack.ts";
import { nameOf, type Outcome, Run } from "./pulumi.ts";
import type { Form } from "./forms.ts";
import { nativeClasses, natively } from "./native-classes.ts";
import { ServerProcess } from "./server-process.ts";
import { type Backend, StateService, testedBackend } from "./state-service.ts";
import { testedShell } from "./shell.ts";
import { StrictImitation } from "./strict-imitation.ts";
import { callsOf, type Contents, contentsOf, countOf, type Recorded } from "./world-content.ts";

const root = dirname(dirname(import.meta.dirname));
const programServer = join(import.meta.dirname, "program-server.ts");
/** An option of Node: what Pulumi's SDK loads and may not use is loaded when it is used. */
const unusedModulesLate = `--require "${join(import.meta.dirname, "unused-modules-late.cjs")}"`;
/** For an engine that lives for a second or two, in which it need not collect garbage, and for the processes that it starts. */
export const quickEngine = { NODE_OPTIONS: unusedModulesLate, GOGC: "off", GOMEMLIMIT: "1GiB" };
const isNative = testedShell === "native";
const name = "test";

interface StackOptions {
  readonly program: string;
  /** The name of the project; `throw-away` unless given. The stack is always `test`. */
  readonly project?: string;
  /** The time scale of the platform; `instant` unless given. */
  readonly timeScale?: TimeScale;
  /** Configuration by full name, such as `platform:nodes`, over the endpoint and the region `eu-frankfurt`. Empty: not set. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the provider reaches the platform over HTTP, with a key in the environment, rather than in its own process. */
  readonly served?: boolean;
  /** `public`: the platform is served, behind a strict imitation of the public API. What does not fit its models fails the disposal. */
  readonly form?: Form;
  /** Whether its programs may have resources of the native plugin. Where that is the tested shell, all are. */
  readonly plugin?: boolean;
  /** How long a run of the engine may take before it is killed; 120 unless given. */
  readonly seconds?: number;
  /**
   * Where the program runs: in one process for all runs, or each time in a new process of Pulumi's language host, as people have it, which
   * takes twice as long. `one-process` unless given.
   */
  readonly programs?: "one-process" | "language-host";
  /**
   * Whether the engine and its processes take the time that they take for people: the key of the stack is derived from a passphrase, and
   * what Pulumi's SDK loads and does not use is loaded all the same.
   */
  readonly unhurried?: boolean;
  readonly backend?: Backend;
}

/** A stack that the real engine deploys on a platform of its own. Both are deleted when it is disposed of. */
export class Stack implements AsyncDisposable {
  readonly folder: string;
  readonly worldFile: string;
  readonly stateFile: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #project: string;
  readonly #seconds: number;
  readonly #runs: Run[] = [];
  #world: World | undefined;
  #server: PlatformServer | undefined;
  #imitation: StrictImitation | undefined;
  #hasPlugin = false;
  /** Keeps the state, if it is not in a folder. */
  #service: StateService | undefined;
  /** Runs its programs, unless the language host does. */
  #programs: ServerProcess | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv, { project, seconds }: Required<Pick<StackOptions, "project" | "seconds">>) {
    this.folder = folder;
    this.worldFile = worldFileIn(folder);
    this.stateFile = join(folder, "state", ".pulumi", "stacks", project, `${name}.json`);
    this.#env = env;
    this.#project = project;
    this.#seconds = seconds;
  }

  static async create(options: StackOptions): Promise<Stack> {
    const {
      program,
      project = "throw-away",
      timeScale = "instant",
      config = {},
      env = {},
      form = "in process",
      served = form === "public",
      plugin = isNative,
      seconds = 120,
      programs = "one-process",
      unhurried = false,
      backend = testedBackend,
    } = options;
    // Not inside node_modules, where Node strips the types of no program. The link leads to the packages of this clone.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-stack-")));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const world = World.open(worldFileIn(folder), { timeScale, seed: "test" });
    const { secretId, secretKey } = accessKeyOf(world);
    const key = { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey };
    const quick = !unhurried && { ...quickEngine, ...(await keyEnvironment()) };
    const around = surroundings(folder);
    const service = backend === "files" ? undefined : await StateService.start(join(folder, "state"), backend);
    const stack = new Stack(folder, { ...around, ...quick, ...service?.env, ...(served && key), ...env }, { project, seconds });
    stack.#service = service;
    stack.#world = world;
    stack.#hasPlugin = plugin;
    if (served) stack.#server = await serve(world);
    if (form === "public") stack.#imitation = await StrictImitation.before(stack.url);
    stack.write(program);
    if (isNative) writeFileSync(join(folder, "native.ts"), nativeClasses);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
    stack.configure(config);
    if (programs === "one-process") await stack.restartPrograms();
    if (unhurried) await stack.ok("stack", "init", name);
    else if (service) await service.createStack(project, name);
    else writeEmptyStack(folder, stack.stateFile);
    return stack;
  }

  /** A stack with a program of `examples/`, as it is. */
  static async ofExample(example: string, options: Omit<StackOptions, "program"> = {}): Promise<Stack> {
    const stack = await Stack.create({ ...options, program: `export * from "./${example}/index.ts";\n` });
    const copy = join(stack.folder, example);
    cpSync(join(root, "examples", example), copy, { recursive: true });
    if (isNative)
      for (const file of readdirSync(copy).filter((one) => one.endsWith(".ts")))
        writeFileSync(join(copy, file), natively(readFileSync(join(copy, file), "utf8"), "../native.ts"));
    return stack;
  }

  /**
   * Runs later programs in a new process. After a kill of the engine, its program would end in the old one, and Pulumi's SDK, which has one
   * connection a process, would tell the next engine that its program has ended: it would delete everything.
   */
  async restartPrograms(): Promise<void> {
    await this.#programs?.[Symbol.asyncDispose]();
    this.#programs = await ServerProcess.start([programServer, this.folder], { cwd: this.folder, env: this.#env });
  }

  write(program: string): void {
    writeFileSync(join(this.folder, "index.ts"), isNative ? natively(program) : program);
  }

  configure(config: Readonly<Record<string, string>>): void {
    const served = this.#imitation ? `public:${this.#imitation.url}` : this.#server?.url;
    const all = { "container-platform:endpoint": served ?? "local", "container-platform:region": "eu-frankfurt", ...config };
    const set = Object.entries(all).filter(([, value]) => value !== "");
    const settings = {
      name: this.#project,
      runtime: { name: "nodejs", options: { typescript: false } },
      main: "index.ts",
      ...(this.#hasPlugin && { plugins: { providers: [{ name: "container-platform", path: join(root, "plugin") }] } }),
      config: Object.fromEntries(set.map(([key, value]) => [key, { value }])),
    };
    writeFileSync(join(this.folder, "Pulumi.yaml"), JSON.stringify(settings));
  }

  up(...args: string[]): Promise<Outcome> {
    return this.ok("up", "--yes", "--skip-preview", ...args);
  }

  preview(...args: string[]): Promise<Outcome> {
    return this.ok("preview", ...args);
  }

  /** What a preview and its event log tell a reviewer. */
  async previewed(...args: string[]): Promise<readonly string[]> {
    const { stdout, log } = await this.start("preview", "--json", "--show-sames", "--show-replacement-steps", ...args).ended;
    return [stdout, log].filter((text) => text.trim().startsWith("{"));
  }

  refresh(...args: string[]): Promise<Outcome> {
    return this.ok("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: string[]): Promise<Outcome> {
    return this.ok("destroy", "--yes", "--skip-preview", ...args);
  }

  failingUp(...args: string[]): Promise<Outcome> {
    return this.fails("up", "--yes", "--skip-preview", ...args);
  }

  /** Runs the engine; its success is an error. */
  async fails(...args: string[]): Promise<Outcome> {
    const outcome = await this.start(...args).ended;
    if (outcome.code === 0) throw new Error(`pulumi ${args.join(" ")} should have failed:\n${outcome.output}`);
    return outcome;
  }

  /** Runs the engine; its failure is an error. */
  async ok(...args: string[]): Promise<Outcome> {
    const outcome = await this.start(...args).ended;
    if (outcome.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with code ${outcome.code}:\n${outcome.output}`);
    return outcome;
  }

  /** Starts the engine, and does not wait for it. */
  start(...args: string[]): Run {
    const [verb = "", what] = args;
    const ofStack = verb === "stack" && what === "init" ? [] : ["--stack", name];
    const programs = this.#programs && ["up", "preview"].includes(verb) ? [`--client=${this.#programs.address}`] : [];
    const run = new Run([...args, ...ofStack, ...programs], { folder: this.folder, env: this.#env, seconds: this.#seconds });
    this.#runs.push(run);
    return run;
  }

  async exported(): Promise<string> {
    return (await this.ok("stack", "export")).output;
  }

  async resources(): Promise<StateOfResource[]> {
    return resourcesOf(await this.deployment());
  }

  /** The deployment in the state, in the engine's form. */
  deployment(): Promise<unknown> {
    return this.#service ? this.#service.deployment(this.#project, name) : Promise.resolve(deploymentIn(this.stateFile));
  }

  /** The one resource in the state with this type and name, such as `Vpc platform`. */
  async resource(called: string): Promise<StateOfResource> {
    const [found, ...others] = (await this.resources()).filter(({ urn }) => nameOf(urn) === called);
    if (!found || others.length > 0) throw new Error(`the state has ${found ? others.length + 1 : 0} of ${called}`);
    return found;
  }

  /** How many journal entries the updates of the stack have sent. */
  get journaled(): number {
    return this.service.journaled(this.#project, name);
  }

  /** Ends the lease of an update that no longer sends anything. */
  endLease(): void {
    this.service.endLease(this.#project, name);
  }

  /** Keeps the state on a stack with the backend `cloud`. */
  get service(): StateService {
    if (!this.#service) throw new Error("the state is in files");
    return this.#service;
  }

  /** The platform's world, which the engine's provider has open too. */
  get world(): World {
    if (!this.#world) throw new Error("the stack is disposed of");
    return this.#world;
  }

  get url(): string {
    if (!this.#server) throw new Error("the platform is not served");
    return this.#server.url;
  }

  get faults(): Faults {
    return new Faults(this.world);
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#env;
  }

  /** A client for a region of the platform, for calls that are made outside of Pulumi. */
  cloud(region = "eu-frankfurt"): Cloud {
    return new Cloud({ transport: new LocalPlatform(this.world), region });
  }

  calls(): Recorded[] {
    return callsOf(this.world);
  }

  /** The actions of the calls that write, after the first ones, of which the number is given. */
  writesSince(calls: number): string[] {
    return callsOf(this.world, calls).flatMap(({ effect, action }) => (effect === "write" ? [action] : []));
  }

  leftovers(): Contents {
    return contentsOf(this.world);
  }

  count(table: string): number {
    return countOf(this.world, table);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const run of this.#runs) run.kill();
    await Promise.allSettled(this.#runs.map(({ ended }) => ended));
    for (const run of this.#runs) run.sweep();
    await this.#programs?.[Symbol.asyncDispose]();
    await this.#server?.close();
    await this.#service?.[Symbol.asyncDispose]();
    this.#world?.close();
    this.#world = undefined;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    await this.#imitation?.[Symbol.asyncDispose]();
  }
}

function worldFileIn(folder: string): string {
  return join(folder, ".container-platform", "world.db");
}

/** The environment of an engine that knows nothing but this stack, whatever the machine has for others. */
export function surroundings(folder: string): NodeJS.ProcessEnv {
  const state = join(folder, "state");
  mkdirSync(state);
  const kept = Object.entries(process.env).filter(([key]) => !/^(PULUMI|CONTAINER_PLATFORM)_|^XDG_STATE_HOME$/.test(key));
  return {
    ...Object.fromEntries(kept),
    HOME: folder,
    // As a shell sets it.
    PWD: folder,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_DEBUG_COMMANDS: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
  };
}
