import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as z from "@container-platform/sdk/zod";
import { privateStateOf } from "../lifecycle/private-state.ts";
import type { SavedResource } from "../recovery/saved-resources.ts";
import { typeToken } from "./stub.ts";

const run = promisify(execFile);

const exported = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({ urn: z.string(), type: z.string(), id: z.string().optional(), outputs: z.record(z.string(), z.unknown()).default({}) }),
      )
      .default([]),
  }),
});

/** How long it may take, in milliseconds. It takes about a second. */
const limit = 30_000;
/** In bytes. */
const maxSize = 500_000_000;

/**
 * What the engine has saved of the stack of a resource. The `pulumi` command tells it also while the engine works on that stack;
 * `undefined` if it cannot. It takes a while, so it is for questions that nothing else answers.
 */
export async function savedInStackOf(urn: string): Promise<readonly SavedResource[] | undefined> {
  const [, stack] = /^urn:pulumi:([^:]+)::/.exec(urn) ?? [];
  if (stack === undefined) return undefined;
  try {
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const { stdout } = await run("pulumi", args, { timeout: limit, maxBuffer: maxSize });
    return exported
      .parse(JSON.parse(stdout))
      .deployment.resources.flatMap(({ urn: of, type, id, outputs }) =>
        id !== undefined && type.startsWith(ours)
          ? [{ urn: of, type: type.slice(ours.length), id, home: privateStateOf(outputs).__home }]
          : [],
      );
  } catch {
    return undefined;
  }
}

const ours = typeToken("");
