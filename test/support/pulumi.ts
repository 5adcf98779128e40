import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** What the engine writes to its event log, as far as tests look at it. */
const eventSchema = z.object({
  diagnosticEvent: z
    .object({ urn: z.string().optional(), message: z.string(), severity: z.string(), ephemeral: z.boolean().optional() })
    .optional(),
  resourcePreEvent: z.object({ metadata: z.object({ op: z.string(), urn: z.string() }) }).optional(),
});
type EngineEvent = z.output<typeof eventSchema>;

/** The result of one run of the engine. */
export interface Outcome {
  readonly code: number;
  /** All that it printed. */
  readonly output: string;
  readonly stdout: string;
  readonly events: readonly EngineEvent[];
  /** The event log as it was written. */
  readonly log: string;
}

interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long it may take. Then it is killed, so that no test waits for ever. */
  readonly seconds: number;
}

export class Run {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly ended: Promise<Outcome>;
  readonly #hosts: number[] = [];
  #output = "";
  #stdout = "";

  constructor(args: readonly string[], { folder, env, seconds }: Surroundings) {
    this.#folder = folder;
    const log = join(folder, `events-${++runs}.json`);
    const logged = ["up", "preview", "refresh", "destroy"].includes(args[0] ?? "") ? ["--event-log", log] : [];
    this.#process = spawn("pulumi", [...args, ...logged, "--non-interactive", "--color", "never"], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: seconds * 1000,
      killSignal: "SIGKILL",
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        if (stream === this.#process.stdout) this.#stdout += text;
      });
    this.ended = new Promise((resolve, reject) => {
      this.#process.once("error", reject);
      this.#process.once("close", (code, signal) => {
        const text = read(log);
        rmSync(log, { force: true });
        const output = signal === null ? this.#output : `${this.#output}\nended by ${signal}`;
        resolve({ code: code ?? 1, output, stdout: this.#stdout, events: eventsIn(text), log: text });
      });
    });
  }

  /** What a person at the terminal does with Control-C, once. */
  interrupt(): void {
    this.#process.kill("SIGINT");
  }

  /** Kills the engine at once, as an out-of-memory killer does. False if it has ended already. */
  kill(): boolean {
    const { pid } = this.#process;
    if (pid === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null) return false;
    // Pulumi's language host checks only every five minutes whether its engine is still there.
    this.#hosts.push(...descendants(pid).flatMap((found) => (isLanguageHost(found) ? [found.pid] : [])));
    return this.#process.kill("SIGKILL");
  }

  /** Ends the processes that a killed engine has left behind: a program whose engine is gone may run for ever. */
  sweep(): void {
    for (const left of processes())
      if ((this.#hosts.includes(left.pid) && isLanguageHost(left)) || left.command.includes(`--pwd ${this.#folder} `)) end(left);
  }

  /** Processes of our provider that this engine has started, whatever the shell. */
  providers(): number[] {
    const { pid } = this.#process;
    return pid === undefined
      ? []
      : descendants(pid).flatMap((found) => (/dynamic-provider|pulumi-resource-container-platform/.test(found.command) ? [found.pid] : []));
  }

  /** Waits until a condition holds while the engine runs. Fails if the engine ends before that. */
  async until(holds: () => boolean): Promise<void> {
    const over = this.ended.then(({ output }) => {
      if (!holds()) throw new Error(`the engine ended before that:\n${output}`);
    });
    over.catch(() => undefined);
    while (!holds()) await Promise.race([sleep(50), over]);
  }
}

let runs = 0;

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // An engine that is refused its arguments writes none.
    return "";
  }
}

function eventsIn(log: string): EngineEvent[] {
  return log.split("\n").flatMap((line) => {
    // A killed engine leaves half a line.
    if (!line.startsWith("{") || !line.endsWith("}")) return [];
    return [eventSchema.parse(JSON.parse(line))];
  });
}

/**
 * The operations of a run or a preview on each resource, in order: `{ "Vpc platform": ["create"] }`. Resources that stay as they are,
 * the stack and the providers are left out.
 */
export function operationsOf({ events }: Pick<Outcome, "events">): Record<string, string[]> {
  const operations: Record<string, string[]> = {};
  for (const { resourcePreEvent } of events) {
    const { op, urn } = resourcePreEvent?.metadata ?? { op: "same", urn: "" };
    if (["same", "refresh", "read"].includes(op) || !/(dynamic\/container-platform|container-platform:index):/.test(urn)) continue;
    (operations[nameOf(urn)] ??= []).push(op);
  }
  return operations;
}

/** The warnings of a run, without colors. */
export function warningsIn({ events }: Pick<Outcome, "events">): string[] {
  return events.flatMap(({ diagnosticEvent: line }) =>
    line?.severity === "warning" ? [line.message.replace(/<\{%.*?%\}>/g, "").trim()] : [],
  );
}

/** A resource as tests call it: `Vpc platform`. */
export function nameOf(urn: string): string {
  const [, , type = "", name = ""] = urn.split("::");
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}

/** Whether a process still runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid);
}

/** Kills a process and all that it has started, and waits until they have ended. */
export async function killTree(pid: number): Promise<void> {
  const all = processes();
  const tree = [...all.filter((found) => found.pid === pid), ...descendants(pid, all)];
  for (const one of tree) end(one);
  while (tree.some((one) => isRunning(one.pid))) await sleep(50);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return state === undefined || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command: command ?? "" }];
  });
}

function end({ pid }: Process): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}

function isLanguageHost({ command }: Process): boolean {
  return command.includes("pulumi-language-nodejs");
}

function descendants(of: number, all = processes()): Process[] {
  const children = all.filter(({ parent }) => parent === of);
  return children.flatMap((child) => [child, ...descendants(child.pid, all)]);
}
