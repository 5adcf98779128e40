import { execFile } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import * as z from "@container-platform/sdk/zod";
import { privateStateOf } from "../schema/private-state.ts";
import type { SavedResource, StackState } from "../ownership/state.ts";
import { markOfProvider, stackIn } from "../ownership/tags.ts";
import { identityOf, kindOfToken, packageName } from "./tokens.ts";

const run = promisify(execFile);

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  provider: z.string().default(""),
  parent: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
  retainOnDelete: z.boolean().default(false),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
});

/** A stack that nothing was ever deployed to may have no deployment. */
const exported = z.object({
  deployment: z
    .object({
      resources: z.array(resourceSchema).default([]),
      pending_operations: z.array(z.object({ type: z.string(), resource: resourceSchema })).default([]),
    })
    .nullish()
    .transform((deployment) => deployment ?? { resources: [], pending_operations: [] }),
});

/** How long it may take, in milliseconds. It takes about a second. */
const limit = 30_000;
/** In bytes. */
const maxSize = 500_000_000;

/** How often the state is read: Pulumi may be writing it at the moment. */
const attempts = 2;

/**
 * Reads the state of the stack of a URN, or of the selected stack, also while Pulumi updates that stack; `undefined` if the `pulumi` command
 * fails. It takes about half a second.
 */
export async function stateOf(urn?: string): Promise<StackState | undefined> {
  const stack = urn === undefined ? undefined : stackIn(urn)?.stack;
  if (urn !== undefined && stack === undefined) return undefined;
  for (let attempt = 1; ; attempt++)
    try {
      return stateIn(await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])]));
    } catch {
      if (attempt === attempts) return undefined;
    }
}

/** What the `pulumi` command prints. @throws if there is none, or it fails */
export async function pulumi(args: readonly string[]): Promise<string> {
  // A check for newer versions may make the command wait. GOGC=400: it ends before collecting garbage is worth its time.
  const env = { GOGC: "400", ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const engine = engineAbove();
  const installed = join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "bin", "pulumi");
  // A backend such as `file://.` is relative to the engine's folder. Pulumi starts a provider in the folder of the program.
  const cwd = engine?.folder;
  let missing: unknown;
  // Best first. The engine does not add its own folder to the PATH of its providers.
  for (const program of [...(engine ? [engine.file] : []), "pulumi", installed])
    try {
      const { stdout } = await run(program, [...args, "--non-interactive"], { cwd, env, timeout: limit, maxBuffer: maxSize });
      return stdout;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      missing ??= error;
    }
  throw missing;
}

/** How many processes may stand between the engine and its provider: Pulumi's script, and what a manager of Node's versions starts. */
const generations = 5;

/** The engine that has started this process. Only Linux tells the files that the processes above run, and their folders, in /proc. */
function engineAbove(): { readonly file: string; readonly folder: string } | undefined {
  try {
    let pid = process.ppid;
    for (let generation = 0; generation < generations && pid > 1; generation++) {
      const file = readlinkSync(`/proc/${pid}/exe`);
      if (basename(file) === "pulumi") return { file, folder: readlinkSync(`/proc/${pid}/cwd`) };
      // After the name in brackets, which may hold anything: the state, then the parent.
      const [, parent] = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      pid = Number(parent);
    }
  } catch {
    // Another system, or a process of another user.
  }
  return undefined;
}

/** The state in the output of `pulumi stack export`. */
export function stateIn(text: string): StackState {
  const { resources, pending_operations: operations } = exported.parse(JSON.parse(text)).deployment;
  // After `destroy`, only pending creates still refer to the provider.
  const own = resources.map(({ urn, id = "" }) => `${urn}::${id}`);
  const references = [...own, ...resources.map(({ provider }) => provider), ...operations.map(({ resource }) => resource.provider)];
  return {
    resources: resources.flatMap(savedResource),
    dependencies: new Map(resources.map(({ urn, parent, dependencies }) => [urn, [...dependencies, ...(parent ? [parent] : [])]])),
    pendingCreates: operations.flatMap(
      ({ type: operation, resource: { urn, type: token, inputs, provider, retainOnDelete: isRetained } }) => {
        const type = kindOfToken(token);
        const isCreate = operation === "creating" && type !== undefined;
        return isCreate ? [{ urn: identityOf(urn), token, type, inputs, isRetained, mark: markIn(provider) }] : [];
      },
    ),
    marks: [...new Set(references)].flatMap((reference) => {
      const mark = markIn(reference);
      return mark === undefined ? [] : [{ provider: providerIn(reference), mark }];
    }),
  };
}

function savedResource({ urn, type: token, id, outputs, provider, retainOnDelete }: z.output<typeof resourceSchema>): SavedResource[] {
  const type = kindOfToken(token);
  if (id === undefined || type === undefined) return [];
  const { __home: home, __urn: outputUrn } = privateStateOf(outputs);
  const names = { urn: identityOf(urn), savedAs: urn, outputUrn };
  return [{ ...names, token, type, id, home, provider: providerIn(provider), isRetained: retainOnDelete }];
}

/** The mark of a provider, by a reference such as `urn:…::pulumi:providers:pulumi-nodejs::default::3f8a…`. */
function markIn(reference: string): string | undefined {
  const [, of = "", id = ""] = /::pulumi:providers:([^:]+)::.+::([^:]+)$/.exec(reference) ?? [];
  return ["pulumi-nodejs", packageName].includes(of) ? markOfProvider(id) : undefined;
}

/** The name of an explicit provider in such a reference. */
function providerIn(reference: string): string | undefined {
  const [, name] = /::pulumi:providers:[^:]+::(.+)::[^:]*$/.exec(reference) ?? [];
  return name?.startsWith("default") ? undefined : name;
}
