import type { Coded } from "../../provider/src/definition/codes.ts";
import type { Context } from "../../provider/src/definition/context.ts";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { deleteOrphan, inOrderOfDeletion } from "../../provider/src/import/orphans.ts";
import { findOrphans, type Orphan } from "../../provider/src/ownership/orphans.ts";
import { PendingResources } from "../../provider/src/ownership/pending.ts";
import type { StackState } from "../../provider/src/ownership/state.ts";
import { kinds } from "../../provider/src/resources/kinds.ts";
import { stateIn } from "../../provider/src/runtime/stack-export.ts";
import { testedShell } from "../support/shell.ts";
import { called, type Program, urnOf } from "./program.ts";
import type { ResettableStack, RunOutcome, UpOptions } from "./resettable-stack.ts";

/** The messages of updates that fail because of an orphan are followed, as a user would. */

/** The types whose IDs consist of inputs. If only the provider was killed, nothing proves that this stack created such a resource. */
export const keyTypes: readonly string[] = ["Ipv6Block", "ClusterEndpoint", "UserPermission", "Repository", "ReplicationRule"];

/** What all updates of this process followed. */
export const followed: string[] = [];

interface Followed extends RunOutcome {
  /** What was done: `import Vpc net`, `delete ClusterEndpoint public`. */
  readonly remedies: readonly string[];
}

/**
 * `pulumi up`, until it succeeds or prints no remedy. After each failure because of an orphan, the printed line is followed: the ID is
 * imported, or deleted on the platform. So is a warning about a draft.
 *
 * @param types the types of which a resource may be an orphan that lets the update fail
 */
export async function upFollowing(
  stack: ResettableStack,
  program: Program,
  options: UpOptions = {},
  types: readonly string[] = keyTypes,
): Promise<Followed> {
  const [remedies, calls, operations]: [string[], RunOutcome["calls"][number][], string[]] = [[], [], []];
  let changed = program;
  for (;;) {
    const outcome = await stack.up(changed, options);
    calls.push(...outcome.calls, ...(await stack.restartProvider()));
    operations.push(...outcome.operations);
    const before = remedies.length;
    for (const warning of outcome.warnings) {
      const [, draft, how] = /^(\S+) has the note of this resource, .* delete it (with|on the platform)/.exec(warning) ?? [];
      if (draft === undefined) continue;
      const deleted = how === "with" ? await deleteOrphans(stack, [draft]) : await deleteOnPlatform(stack, "Token", draft);
      remedies.push(...deleted.map((id) => `delete draft ${id}`));
    }
    for (const { of, message } of outcome.errors) {
      const [type = ""] = of.split(" ");
      const [, importable] = /\bimport: "([^"]+)"/.exec(message) ?? [];
      // Pulumi itself imports a native resource, and only if it is as in the program.
      const toImport = testedShell === "native" ? undefined : importable;
      const toDelete = importable ?? /, or delete \w+ (\S+) on the platform/.exec(message)?.[1];
      if (!types.includes(type) || remedies.some((one) => one.endsWith(` ${of}`))) continue;
      if (toImport !== undefined) changed = changed.map((one) => (called(one) === of ? { ...one, import: toImport } : one));
      else if (toDelete !== undefined) await deleteOnPlatform(stack, type, toDelete);
      else continue;
      remedies.push(`${toImport === undefined ? "delete" : "import"} ${of}`);
    }
    followed.push(...remedies.slice(before));
    if (outcome.failure === undefined || remedies.length === before) return { ...outcome, calls, operations, remedies };
  }
}

/** `npx container-platform-import --orphans --delete`, with these IDs or, without any, of what the state proves. Returns what it deletes. */
export async function deleteOrphans(stack: ResettableStack, ids: readonly string[] = []): Promise<readonly string[]> {
  const orphans = await orphansOf(stack, stateIn(await stack.exported()));
  const chosen = orphans.filter((one) => (ids.length > 0 ? ids.includes(one.id) : one.proof === "proven"));
  for (const one of inOrderOfDeletion(chosen).flat()) await deleteOrphan(contextOf(stack), one);
  return chosen.map(({ id }) => id);
}

/**
 * `pulumi destroy`. If it fails because of orphans, the printed commands are run, and it is repeated. For a stack without resources Pulumi
 * starts no provider, which would name them: then the command lists and deletes them.
 */
export async function destroyFollowing(stack: ResettableStack): Promise<Followed> {
  const isEmpty = (await stack.entries()).length === 0;
  const first = await stack.destroy();
  const commands = (first.failure ?? "").matchAll(/`npx container-platform-import --orphans --delete(?: --id (\S+))?`/g);
  const ids = isEmpty ? await orphanIdsOf(stack) : [...new Set([...commands].map(([, id]) => id))];
  if (ids.length === 0) return { ...first, remedies: [] };
  await stack.restartProvider();
  const remedies: string[] = [];
  for (const id of ids) remedies.push(...(await deleteOrphans(stack, id === undefined ? [] : [id])));
  return { ...(await stack.destroy()), remedies };
}

/** What `npx container-platform-import --orphans` lists. */
export async function orphanIdsOf(stack: ResettableStack): Promise<readonly string[]> {
  const orphans = await orphansOf(stack, stateIn(await stack.exported()));
  return inOrderOfDeletion(orphans)
    .flat()
    .map(({ id }) => id);
}

async function orphansOf({ cloud }: ResettableStack, state: StackState): Promise<readonly Orphan[]> {
  return findOrphans({ cloud, warn: raise, urn: urnOf("Vpc any"), kinds: await everyKind(), pending: new PendingResources() }, state);
}

/** Deletes a resource of a type by hand. */
export async function deleteOnPlatform(stack: ResettableStack, type: string, id: string): Promise<readonly string[]> {
  const kind = (await everyKind()).find((one) => one.type === type);
  if (!kind) throw new Error(`no such type: ${type}`);
  await deleteOrphan(contextOf(stack), { kind, id, create: undefined });
  return [id];
}

function everyKind(): Promise<readonly Kind[]> {
  return Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));
}

function contextOf({ cloud }: ResettableStack): Context {
  return { cloud, signal: new AbortController().signal, show: () => undefined, note: () => undefined, warn: () => undefined };
}

function raise({ message }: Coded): never {
  throw new Error(message);
}
