import { hash } from "node:crypto";
import type { Kind } from "../../definition/definition.ts";
import { isLike } from "../../definition/ids.ts";
import { flawsInTimeouts } from "../../definition/duration.ts";
import { suffixLength } from "../../definition/inputs.ts";
import { differs } from "../../schema/compare.ts";
import { marksOf } from "../../schema/marks.ts";
import { instead, holdsOutputText, outputTextIn, type Issue, validated } from "../../schema/validate.ts";
import { schemaOf } from "../../schema/parts.ts";
import { at, cleanProps, isAmong, isProps, type Props } from "../../schema/values.ts";
import { refusedIdParts, newlyBrokenRules, warningsAbout } from "./rules.ts";
import { checkedOnly, isPrivate, privateStateOf } from "../../schema/private-state.ts";
import { nameOf, typeOf } from "../../schema/urn.ts";

export interface Checked {
  readonly inputs: Props;
  /** What is wrong, one sentence each. */
  readonly failures: readonly string[];
  /** What is unwise, one sentence each. */
  readonly warnings: readonly string[];
}

export interface CheckOptions {
  readonly defaultTags?: Readonly<Record<string, string>>;
}

/**
 * Fills in defaults and names, and checks the inputs. It does not call the platform.
 *
 * @param olds the inputs as last deployed
 */
export function check(kind: Kind, olds: Props, news: Props, { defaultTags = {} }: CheckOptions = {}): Checked {
  const keys = Object.keys(kind.inputs.shape);
  const inputs: Record<string, unknown> = Object.fromEntries(
    Object.entries(news).filter(([key]) => isPrivate(key) && !checkedOnly.includes(key)),
  );
  const unexpected = Object.keys(news).filter((key) => !isPrivate(key) && !keys.includes(key) && news[key] !== undefined);
  const basis = basisOfNames(kind, olds, news);
  if (basis !== privateStateOf(news).__urn) inputs["__named"] = basis;
  const failures = unexpected.map((key) => `${key}: ${kind.type} has no such property; ${instead([key], keys)}`);
  for (const key of keys) {
    const schema = schemaOf(kind, key);
    if (holdsOutputText(news[key])) {
      failures.push(outputTextIn(key));
      continue;
    }
    const { value, issues } = validated(schema, completed(kind, key, news, { basis, defaultTags }), [key]);
    inputs[key] = value;
    failures.push(...issues.filter((issue) => issue.isOfType || !wasDeployed(issue, inputs, olds)).map(({ sentence }) => sentence));
    if (isTakenOut(kind, key, olds, value) && !isReplaced(kind, olds, news)) failures.push(`${key}: cannot be taken out once it is set`);
  }
  failures.push(...flawsInTimeouts(privateStateOf(news).__timeouts), ...wrongImport(kind, news));
  const broken = failures.length === 0 ? [...refusedIdParts(kind, inputs), ...newlyBrokenRules(kind, inputs, olds)] : [];
  return {
    inputs: cleanProps(inputs),
    failures: [...failures, ...broken],
    warnings: failures.length === 0 ? [...warningsAbout(kind, inputs), ...wrongContainer(kind, news)] : [],
  };
}

/** The option `import` that can be no id of the kind. */
function wrongImport({ type, id }: Kind, news: Props): string[] {
  const { __adopt: imported } = privateStateOf(news);
  if (imported === undefined || isLike(id, imported)) return [];
  const help = imported === "" ? "; leave the option out to make a new one" : "";
  return [`import: "${imported}" is no id of a ${type}: it looks like ${id.looks}${help}`];
}

/** The option `deletedWith` that names something with which the platform does not delete the resource: the engine leaves it out all the same. */
function wrongContainer({ within }: Kind, news: Props): string[] {
  const { __with: other, __of: of } = privateStateOf(news);
  if (other === undefined) return [];
  const type = typeOf(other);
  const isInside = within?.kind.type === type && (of[within.by] ?? other) === other;
  if (isInside) return [];
  const sentence = `when ${type || "that"} "${nameOf(other)}" is deleted, Pulumi only forgets this one, which does not go along: it stays on the platform, and nothing manages it. Take the option out`;
  return [`deletedWith: ${sentence}`];
}

/** Whether a value that is refused today is there already, so that the resource can stay as it is. */
function wasDeployed({ path }: Issue, inputs: Props, olds: Props): boolean {
  return at(inputs, path) !== undefined && isAmong(olds, path, at(inputs, path));
}

/** Whether the program no longer sets an input that cannot be taken out once it is set. */
function isTakenOut(kind: Kind, key: string, olds: Props, value: unknown): boolean {
  const schema = schemaOf(kind, key);
  return value === undefined && marksOf(schema).removed === "refuse" && olds[key] !== undefined;
}

/**
 * Whether another input replaces the resource anyway, or may: what was left to the platform until now is not known here. A new resource
 * has nothing set yet.
 */
function isReplaced(kind: Kind, olds: Props, news: Props): boolean {
  return Object.keys(kind.changes).some(
    (key) => kind.changes[key] === "replace" && news[key] !== undefined && differs(schemaOf(kind, key), news[key], olds[key]),
  );
}

interface Completion {
  /** The URN that names are made of. */
  readonly basis: string;
  readonly defaultTags: Readonly<Record<string, string>>;
}

/** The value that the user gave. A name that is left out is made of a URN, and the default tags are added to the tags. */
function completed(kind: Kind, key: string, news: Props, { basis, defaultTags }: Completion): unknown {
  const given = news[key] ?? undefined;
  if (given === undefined && isNamed(kind, key)) return nameFrom(basis);
  if (key === kind.tagsInput && Object.keys(defaultTags).length > 0 && (given === undefined || isProps(given)))
    return { ...defaultTags, ...given };
  return given;
}

/**
 * The URN that names are made of: the resource's own, or the one that made the name which it has. With an alias, a resource that exists
 * already gets another URN. Its name must not follow: a change of a name is an update, and of some names a replacement.
 */
function basisOfNames(kind: Kind, olds: Props, news: Props): string {
  const { __urn: own } = privateStateOf(news);
  const { __urn: before, __named: earlier } = privateStateOf(olds);
  const automatic = Object.keys(kind.inputs.shape).filter((key) => isNamed(kind, key) && (news[key] ?? undefined) === undefined);
  const made = (urn: string | undefined) => urn !== undefined && automatic.some((key) => olds[key] === nameFrom(urn));
  return [own, before, earlier].find(made) ?? own;
}

function isNamed(kind: Kind, key: string): boolean {
  return marksOf(schemaOf(kind, key)).named === true;
}

/** The resource's name in the program and the beginning of the URN's hash: the same each time, and short enough for the platform. */
function nameFrom(urn: string): string {
  const label = urn.split("::").at(-1) ?? urn;
  const suffix = hash("sha256", urn).slice(0, suffixLength);
  return `${label.slice(0, 59 - suffixLength)}-${suffix}`;
}
