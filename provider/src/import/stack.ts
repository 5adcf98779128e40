import { type Configured, type connectionOptions, type Given, projectFolder, type Session, UsageError } from "@container-platform/sdk/cli";
import * as z from "@container-platform/sdk/zod";
import { namespace } from "../runtime/configuration.ts";
import { pulumi } from "../runtime/stack-export.ts";

export const stackOptions = {
  stack: { value: "NAME", summary: "Read the configuration and the state of this stack. Default: the selected stack." },
} as const;

/** The options that say which stack's configuration is read, and what goes before it. */
type StackGiven = Given<typeof stackOptions & Pick<typeof connectionOptions, "endpoint" | "region">>;

const configSchema = z.record(z.string(), z.object({ value: z.string().optional() }));

/**
 * What the stack of this folder's project is configured with; nothing without a project. If it cannot be read, the options or the environment
 * may say where to go; otherwise this is told.
 *
 * @throws UsageError if a stack is named that cannot be read
 */
export async function configuredByStack({ stack, endpoint, region }: StackGiven, session: Session): Promise<Configured> {
  const { CONTAINER_PLATFORM_ENDPOINT, CONTAINER_PLATFORM_REGION } = process.env;
  const isNeeded = stack !== undefined || !endpoint || !region;
  if (!isNeeded || (stack === undefined && projectFolder(process.cwd()) === undefined)) return {};
  try {
    return await configurationOf(stack);
  } catch (error) {
    if (stack !== undefined) throw error;
    const isComplete = (endpoint || CONTAINER_PLATFORM_ENDPOINT) && (region || CONTAINER_PLATFORM_REGION);
    if (!isComplete) session.say(`the configuration of a stack is not used: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** @throws UsageError if the stack cannot be read */
export async function configurationOf(stack: string | undefined): Promise<Configured> {
  const all = configSchema.parse(JSON.parse(await fromPulumi(["config", "--json", "--show-secrets", ...named(stack)])));
  const set = (key: string) => all[`${namespace}:${key}`]?.value;
  const [secretId, secretKey, token, credentialProcess] = ["secretId", "secretKey", "token", "credentialProcess"].map(set);
  const credentials = { secretId, secretKey, token, credentialProcess };
  return { endpoint: set("endpoint"), region: set("region"), profile: set("profile"), credentials };
}

/** The state of the stack, as text. @throws UsageError if it cannot be read */
export function exportOf(stack: string | undefined): Promise<string> {
  return fromPulumi(["stack", "export", ...named(stack)]);
}

/** The name of a stack, and of its project. */
export interface StackName {
  readonly project: string;
  readonly stack: string;
}

/** The name of the stack, also if its state is empty. @throws UsageError if it cannot be read */
export async function nameOfStack(given: string | undefined): Promise<StackName> {
  const name = await fromPulumi(["stack", "--show-name", "--fully-qualify-stack-names", ...named(given)]);
  // Backends of files that Pulumi before 3.61 created name no project.
  const [stack = "", project = ""] = name.trim().split("/").toReversed();
  return { project, stack };
}

/** The beginning of all URNs of a stack. */
export const urnOfStack = ({ stack, project }: StackName): string => `urn:pulumi:${stack}::${project}::`;

const listing = z.array(z.object({ name: z.string() }));

/** The stacks of the backend, as `<project>/<stack>`. @throws UsageError if they cannot be read */
export async function allStacks(): Promise<readonly string[]> {
  const all = listing.parse(JSON.parse(await fromPulumi(["stack", "ls", "--all", "--json", "--fully-qualify-stack-names"])));
  return all.map(({ name }) => name.split("/").slice(-2).join("/"));
}

function named(stack: string | undefined): readonly string[] {
  return stack === undefined ? [] : ["--stack", stack];
}

/** What the `pulumi` command prints. @throws UsageError if it fails */
export async function fromPulumi(args: readonly string[]): Promise<string> {
  try {
    return await pulumi(args);
  } catch (error) {
    throw new UsageError(
      `the stack cannot be read (pulumi ${args.join(" ")}): ${reasonOf(error)}`,
      "A stack is read in the folder of its program.",
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "there is no command pulumi on the PATH";
  const said = "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : "";
  return said === "" ? error.message : said;
}
