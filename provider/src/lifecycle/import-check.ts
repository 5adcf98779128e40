import type { Cloud } from "@container-platform/sdk";
import { schemaOf } from "../schema/property.ts";
import { brokenRules } from "./rules.ts";
import { differs } from "../schema/compare.ts";
import { isGone, unreadyState } from "./reconcile.ts";
import { cannotBecome } from "./plan.ts";
import { differencesIn } from "../schema/describe-differences.ts";
import { hiddenOf } from "./private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { withoutSecrets } from "../schema/secrets.ts";
import { holdsUnknown, pick, type Props } from "../schema/values.ts";
import type { Run } from "./poll.ts";

/** A thing that exists already, beside what a program says of it. */
export interface Adoptable {
  /** Why it cannot be adopted, a sentence each. */
  readonly refusals: readonly string[];
  /** What adopting it changes, a sentence each. */
  readonly changes: readonly string[];
}

/**
 * Compares a program with a thing that it is to adopt. What is not known yet is left out.
 *
 * @param region how the region is called where it is missing
 */
export async function adoptable(kind: Kind, cloud: Cloud, id: string, news: Props, region: string): Promise<Adoptable> {
  const known = knownOf(kind, id, news);
  const live = await kind.read(cloud, known);
  if (!live || isGone(kind, live)) return { refusals: [`import: there is no ${kind.type} ${id} in ${region}`], changes: [] };
  const state = unreadyState(kind, live);
  if (state !== undefined) return { refusals: [`import: ${id} is ${state}: adopt it once that is over`], changes: [] };
  const { __veiled: veiled } = hiddenOf(news);
  const differing = Object.keys(kind.inputs.shape).filter((key) => counts(kind, key, news, live));
  const sentences = (key: string, joint: string) =>
    differencesIn(schemaOf(kind, key), live[key], news[key], [key], veiled.includes(key)).map(
      ({ place, there, wished }) => `${place}: ${there} ${joint} ${wished}`,
    );
  const refused = differing.filter((key) => cannotBecome(kind, key, news, live[key]));
  return {
    refusals: [...brokenRules(kind, news, live), ...refused.flatMap((key) => sentences(key, `on ${id} cannot be changed to`))],
    changes: differing.filter((key) => !refused.includes(key)).flatMap((key) => sentences(key, "becomes")),
  };
}

/** What the platform does not tell of a thing is as the program says, but for secrets: these are set. */
export function knownOf(kind: Kind, id: string, news: Props): Props {
  const parts = kind.id.parts(id);
  if (!parts) throw new Error(`import: ${id} is no id of a ${kind.type}: it looks like ${kind.id.looks}`);
  const told = Object.keys(kind.inputs.shape).filter((key) => !holdsUnknown(news[key]));
  return { ...withoutSecrets(kind, pick(news, told)), ...parts };
}

/** Whether a difference is known, and one that something is done about. */
function counts(kind: Kind, key: string, news: Props, live: Props): boolean {
  const change = kind.changes[key];
  if (change === "noted" || change === "order" || holdsUnknown(news[key])) return false;
  return differs(schemaOf(kind, key), news[key], live[key]) && !(kind.ignores?.[key]?.(news, live) ?? false);
}

/** Says what importing a resource changes. */
export function sayChanges({ warn }: Pick<Run, "warn">, id: string, changes: readonly string[]): void {
  if (changes.length > 0) warn([`${id} is not as the program says, and is changed:`, ...changes.map((change) => `  ${change}`)].join("\n"));
}
