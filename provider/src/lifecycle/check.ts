import { hash } from "node:crypto";
import * as z from "@container-platform/sdk/zod";
import { type Coded, inputError, pathIn } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { flawsInTimeouts } from "../definition/duration.ts";
import { isLike } from "../definition/ids.ts";
import { suffixLength } from "../definition/inputs.ts";
import { differs } from "../schema/compare.ts";
import { marksOf } from "../schema/marks.ts";
import { placeOf } from "../schema/paths.ts";
import { checkedOnly, isPrivate, privateStateOf } from "../schema/private-state.ts";
import { schemaOf } from "../schema/parts.ts";
import { nameOf, typeOf } from "../schema/urn.ts";
import { holdsOutputText, instead, outputTextIn, validated } from "../schema/validate.ts";
import { at, cleanProps, isAmong, isProps, type Props, same, throwingIfUnknown, unknown, UnknownInput } from "../schema/values.ts";

/** Fills in defaults and names, and checks the inputs, without a call. `olds`: the inputs as last deployed. */
export function check(kind: Kind, olds: Props, news: Props, defaultTags: Readonly<Record<string, string>> = {}) {
  const keys = Object.keys(kind.inputs.shape);
  const inputs: Record<string, unknown> = Object.fromEntries(
    Object.entries(news).filter(([key]) => isPrivate(key) && !checkedOnly.includes(key)),
  );
  const unexpected = Object.keys(news).filter((key) => !isPrivate(key) && !keys.includes(key) && news[key] !== undefined);
  const { __urn: urn, __of: sources, __timeouts: timeouts } = privateStateOf(news);
  const basis = basisOfNames(kind, olds, news);
  if (basis !== urn) inputs["__named"] = basis;
  const failures = unexpected.map((key) => inputError(key, `${kind.type} has no such property; ${instead([key], keys)}`));
  for (const key of keys) {
    if (holdsOutputText(news[key])) {
      failures.push(inputError(key, outputTextIn(key)));
      continue;
    }
    const given = news[key] ?? (isNamed(kind, key) ? nameFrom(basis) : undefined);
    const takesDefaults = key === kind.tagsInput && Object.keys(defaultTags).length > 0 && (given === undefined || isProps(given));
    const { value, issues } = validated(schemaOf(kind, key), takesDefaults ? { ...defaultTags, ...given } : given, [key]);
    inputs[key] = value;
    // A value that is not accepted any more can stay if it is deployed.
    const wasDeployed = (path: readonly PropertyKey[]) => at(inputs, path) !== undefined && isAmong(olds, path, at(inputs, path));
    const source = given === undefined ? sources[key] : undefined;
    failures.push(
      ...issues
        .filter(({ isOfType, path }) => isOfType || !wasDeployed(path))
        .map(({ path, sentence }) => inputError(placeOf(path), source === undefined ? sentence : missingOutput(source))),
    );
    const isTakenOut = value === undefined && olds[key] !== undefined && marksOf(schemaOf(kind, key)).removed === "refuse";
    if (isTakenOut && !isReplaced(kind, olds, news)) failures.push(inputError(key, "cannot be taken out once it is set", "CannotChange"));
  }
  failures.push(...flawsInTimeouts(timeouts), ...wrongImport(kind, news), ...wrongContainer(kind, news));
  if (failures.length > 0) return { inputs: cleanProps(inputs), failures, warnings: [] };
  return {
    inputs: cleanProps(inputs),
    failures: [...refusedIdParts(kind, inputs), ...newlyBrokenRules(kind, inputs, olds)],
    warnings: (kind.warnings ?? [])
      .flatMap((rule) => unlessUnknown(() => rule(throwingIfUnknown(inputs))))
      .map((message): Coded => ({ code: "Unwise", path: pathIn(message), message })),
  };
}

/** Pulumi gives an output no value if --target leaves out the creation of its resource. */
const missingOutput = (source: string): string =>
  `${typeOf(source)} "${nameOf(source)}" does not exist yet. Name it with --target as well, or run without --target and --exclude`;

/** The message about an option `import` that is not a valid ID. */
function wrongImport({ type, id }: Kind, news: Props): Coded[] {
  const { __adopt: imported } = privateStateOf(news);
  if (imported === undefined || isLike(id, imported)) return [];
  const help = imported === "" ? ". Remove the option to create a new one" : "";
  return [inputError("import", `"${imported}" is not a valid ${type} ID; expected a value such as ${id.looks}${help}`, "CannotImport")];
}

/** The message about an option `deletedWith` that names a resource with which the platform does not delete this one. */
function wrongContainer({ within }: Kind, news: Props): Coded[] {
  const { __with: other, __of: of } = privateStateOf(news);
  if (other === undefined) return [];
  const type = typeOf(other);
  const source = within && of[within.by];
  // The parent's ID can also be text, or come from a sibling.
  const isParent = within?.kind.type === type && (source === undefined || source === other || typeOf(source) !== type);
  if (isParent && !within.keeps) return [];
  const that = `${type || "the resource"} "${nameOf(other)}"`;
  const why = isParent ? `${that} is not deleted while this resource exists` : `deleting ${that} does not delete this resource`;
  const sentence = `${why} on the platform. Pulumi would remove it from the state without deleting it. Remove the option`;
  return [inputError("deletedWith", sentence)];
}

/** Whether another input replaces the resource anyway, or may: what was left to the platform until now is not known here. */
function isReplaced(kind: Kind, olds: Props, news: Props): boolean {
  return Object.keys(kind.changes).some(
    (key) => kind.changes[key] === "replace" && news[key] !== undefined && differs(schemaOf(kind, key), news[key], olds[key]),
  );
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

/** The rules that the inputs break, without those that need an unknown value. `before`: the inputs as last deployed, or the live ones. */
export function brokenRules(kind: Kind, inputs: Props, before: Props): Coded[] {
  return (kind.rules ?? []).flatMap(({ of, broken }) =>
    unlessUnknown(() => broken(throwingIfUnknown(inputs), before)).map((message) => inputError(of, message)),
  );
}

/** The rules that the inputs break, and did not break in the same way when they were last deployed. */
function newlyBrokenRules(kind: Kind, inputs: Props, olds: Props): Coded[] {
  const broken = brokenRules(kind, inputs, olds);
  if (broken.length === 0 || Object.keys(olds).length === 0) return broken;
  // What an earlier version did not know is unknown: a rule about it cannot be decided for the time before.
  const isRequired = (key: string) => !z.safeParse(schemaOf(kind, key), undefined).success;
  const before = Object.fromEntries(
    Object.keys(kind.inputs.shape).map((key) => [key, isRequired(key) ? (olds[key] ?? unknown) : olds[key]]),
  );
  const already = brokenRules(kind, before, before);
  return broken.filter((one) => !already.some(({ message }) => message === one.message));
}

/** The message of a rule, if the inputs break it; nothing if the rule needs an unknown value. */
function unlessUnknown(rule: () => string | false | undefined): string[] {
  try {
    return [rule() || []].flat();
  } catch (error) {
    if (error instanceof UnknownInput) return [];
    throw error;
  }
}

/** Why inputs cannot be parts of the id: they could not be read back from it. */
function refusedIdParts({ id, inputs }: Kind, given: Props): Coded[] {
  const [example = ""] = id.looks.split(" or ");
  const examples: Props = id.parts(example) ?? {};
  const isOdd = (value: unknown) => value === "" || (typeof value === "string" && value.includes("/"));
  const known = id.names.map((key): [string, unknown] => [key, key in inputs.shape && given[key] !== unknown ? given[key] : examples[key]]);
  return known.flatMap(([key, value]) => {
    // Of the other parts, each is refused for itself.
    const parts = Object.fromEntries(known.map(([other, its]) => [other, other !== key && isOdd(its) ? examples[other] : its]));
    if (same(id.parts(id.of(parts)), parts)) return [];
    return [inputError(key, `"${String(value)}" cannot be a part of the resource's id, which looks like ${id.looks}`)];
  });
}
