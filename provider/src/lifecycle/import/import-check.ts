import type { Context } from "../../definition/context.ts";
import { schemaOf } from "../../schema/parts.ts";
import { textOf } from "../../program/evaluate.ts";
import { unavailableIn } from "../../program/invariants.ts";
import { brokenRules } from "../check/rules.ts";
import { isGone, isOnPlatform, isOtherwise, needsReplacement, refusalOf } from "../../definition/changes.ts";
import { unreadyState } from "../reconcile.ts";
import { differencesIn } from "../../schema/compare.ts";
import { isOfStack, ownershipOf, stackCalled } from "../../ownership/tags.ts";
import type { RunSession } from "../run-session.ts";
import { privateStateOf } from "../../schema/private-state.ts";
import { changedByImport } from "../../program/messages.ts";
import type { Kind } from "../../definition/definition.ts";
import { withoutSecrets } from "../../schema/secrets.ts";
import { holdsUnknown, pick, type Props } from "../../schema/values.ts";

/** A resource that exists already, compared with the program that is to import it. */
interface ImportCheck {
  /** Why it cannot be imported, one sentence each. */
  readonly refusals: readonly string[];
  /** What the import changes, one sentence each. */
  readonly changes: readonly string[];
  /** The stack that its tag names, if any. */
  readonly stack?: string | undefined;
}

/**
 * Compares a program with a resource that it is to import. Inputs that are not known yet are not compared.
 *
 * @param region the region's name, for the message that the resource does not exist
 */
export async function checkImport(
  kind: Kind,
  { cloud, warn }: Pick<Context, "cloud" | "warn">,
  id: string,
  news: Props,
  region: string,
): Promise<ImportCheck> {
  const live = await kind.read(cloud, knownBeforeImport(kind, id, news));
  if (!live || isGone(kind, live)) return { refusals: [missingIn(kind, id, region)], changes: [] };
  const state = unreadyState(kind, live);
  if (state !== undefined) return { refusals: [`import: ${id} is ${state}: import it once that is over`], changes: [] };
  const { __veiled: secrets } = privateStateOf(news);
  const differing = Object.keys(kind.inputs.shape).filter((key) => counts(kind, key, news, live));
  const sentences = (key: string, joint: string) =>
    differencesIn(schemaOf(kind, key), live[key], news[key], [key], secrets.includes(key)).map(
      ({ place, live: before, desired }) => `${place}: ${before} ${joint} ${desired}`,
    );
  const refused = differing.filter((key) => needsReplacement(kind, key, news, live[key]));
  const broken = [...brokenRules(kind, news, live), ...differing.flatMap((key) => refusalOf(kind, key, news, live) ?? [])];
  const flaws = broken.length > 0 ? broken : (await unavailableIn(kind, { cloud, warn }, { inputs: news, lastInputs: live })).map(textOf);
  return {
    refusals: [...flaws, ...refused.flatMap((key) => sentences(key, `on ${id} cannot be changed to`))],
    changes: differing.filter((key) => !refused.includes(key)).flatMap((key) => sentences(key, "becomes")),
    stack: ownershipOf(live).stack,
  };
}

const missingIn = ({ type }: Kind, id: string, region: string): string =>
  `import: there is no ${type} ${id} in ${region}. If it is in another region, set container-platform:region, or give the resource a Provider of that region`;

/**
 * What is assumed of a resource before it is read. Values that the platform does not return are assumed to be as in the program. Secrets
 * are left out, so that the import sets them.
 */
export function knownBeforeImport(kind: Kind, id: string, news: Props): Props {
  const parts = kind.id.parts(id);
  if (!parts) throw new Error(`import: ${id} is no id of a ${kind.type}: it looks like ${kind.id.looks}`);
  const known = Object.keys(kind.inputs.shape).filter((key) => !holdsUnknown(news[key]));
  return { ...withoutSecrets(kind, pick(news, known)), ...parts };
}

/** Whether an input is known to differ, and the import would change it. */
function counts(kind: Kind, key: string, news: Props, live: Props): boolean {
  return isOnPlatform(kind, key) && !holdsUnknown(news[key]) && isOtherwise(kind, key, news, live);
}

/** What can be done where a resource is replaced by force, and its import has just taken over what was to be deleted. */
export const withoutImport = "remove `import` from the program, then run `pulumi up` again";

/** Says that a resource is imported, and warns, once a run, of what that changes, and of the stack that loses it. */
export function sayImport(
  { show, warn }: Pick<Context, "show" | "warn">,
  session: RunSession,
  { id, urn }: { readonly id: string; readonly urn: string },
  { refusals, changes, stack }: ImportCheck,
): void {
  show(`imports ${id}`);
  if (refusals.length > 0) return;
  const unsaid = session.unsaid(id, changes);
  if (unsaid.length > 0) warn([changedByImport(id), ...unsaid.map((change) => `  ${change}`)].join("\n"));
  const isOthers = stack !== undefined && !isOfStack(stack, urn);
  for (const warning of session.unsaid(id, isOthers ? [takenFrom(id, stackCalled(stack))] : [])) warn(warning);
}

const takenFrom = (id: string, stack: string): string =>
  `the ownership tags of ${id} name ${stack}. After this import, that stack no longer deletes it. If the program of that stack still declares it, remove it there: until then, both stacks change it`;
