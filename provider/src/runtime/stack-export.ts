import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "@container-platform/sdk/zod";
import { privateStateOf } from "../schema/private-state.ts";
import { stackNameIn } from "../recovery/ownership-tags.ts";
import type { ListedStack, SavedResource, SavedStack } from "../recovery/saved-resources.ts";
import { enginePrograms } from "./engine-program.ts";
import { identityOf, kindOfToken, packageName } from "./tokens.ts";

const run = promisify(execFile);

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  provider: z.string().default(""),
  retainOnDelete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
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

/**
 * What the engine has saved of the stack of a resource. The `pulumi` command tells it also while the engine works on that stack;
 * `undefined` if it cannot. It takes a while, so it is for questions that nothing else answers.
 */
export async function savedInStackOf(urn: string): Promise<SavedStack | undefined> {
  const stack = stackNameIn(urn);
  if (stack === undefined) return undefined;
  try {
    return savedStackIn(await pulumi(["stack", "export", "--stack", stack]));
  } catch {
    return undefined;
  }
}

/** As `pulumi stack ls` names them: `organization/project/stack`. */
const listing = z.array(z.object({ name: z.string() }));

/** All stacks of the backend. @throws if the `pulumi` command cannot tell */
export async function listStacks(): Promise<readonly ListedStack[]> {
  const text = await pulumi(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"]);
  return listing.parse(JSON.parse(text)).flatMap(({ name }) => {
    const [, project, stack] = name.split("/");
    if (project === undefined || stack === undefined) return [];
    return [{ project, stack, read: async () => savedStackIn(await pulumi(["stack", "export", "--stack", name])) }];
  });
}

/** What the `pulumi` command prints. @throws if there is none, or it fails */
export async function pulumi(args: readonly string[]): Promise<string> {
  // Otherwise it may wait for an answer about newer versions.
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  let missing: unknown;
  for (const program of enginePrograms())
    try {
      const { stdout } = await run(program, [...args, "--non-interactive"], { env, timeout: limit, maxBuffer: maxSize });
      return stdout;
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing ??= error;
    }
  throw missing;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** What is saved of a stack, from the text of `pulumi stack export`. */
export function savedStackIn(text: string): SavedStack {
  const { resources, pending_operations: operations } = exported.parse(JSON.parse(text)).deployment;
  return {
    urn: (resources[0] ?? operations[0]?.resource)?.urn,
    resources: resources.flatMap(savedResource),
    begun: operations.flatMap(({ type, resource: { urn, type: token, inputs, retainOnDelete: isRetained } }) =>
      type === "creating" && kindOfToken(token) !== undefined ? [{ urn: identityOf(urn), token, inputs, isRetained }] : [],
    ),
    providers: resources.filter(({ type }) => ours.includes(type)).length,
  };
}

function savedResource({ urn, type: token, id, outputs, provider, ...options }: z.output<typeof resourceSchema>): SavedResource[] {
  const type = kindOfToken(token);
  if (id === undefined || type === undefined) return [];
  const [home, provided] = [privateStateOf(outputs).__home, providerIn(provider)];
  const { retainOnDelete: isRetained, pendingReplacement: isToBeRemade } = options;
  return [{ urn: identityOf(urn), savedAs: urn, token, type, id, home, provider: provided, isRetained, isToBeRemade }];
}

/** The types of the providers of both shells. */
const ours: readonly string[] = ["pulumi-nodejs", packageName].map((name) => `pulumi:providers:${name}`);

/** The name of an explicit provider, in a reference such as `urn:…::pulumi:providers:pulumi-nodejs::far::3f8a…`. */
function providerIn(reference: string): string | undefined {
  const [, name] = /::pulumi:providers:[^:]+::(.+)::[^:]*$/.exec(reference) ?? [];
  return name?.startsWith("default") ? undefined : name;
}
