import { parse } from "../../../definition/codes.ts";
import { reviewed } from "../../../resources/reviews.ts";
import type { Definition } from "../../plan/definition.ts";
import { definitions } from "../../plan/definitions.ts";
import type { Plan } from "../../plan/plan.ts";
import { displayNameOf } from "../../plan/names.ts";
import { isLeft, type Subject } from "../../plan/subject.ts";
import type { Fields } from "../../plan/values.ts";
import type { Reason } from "../../verdict.ts";
import { listed, type WhileThere } from "../reviewed.ts";
import { textsIn } from "./simulation.ts";

/** Those that the program no longer has, and that do not stay on the platform although they should: what they are inside of is deleted. */
export function withoutContainers(subjects: readonly Subject[]): readonly Subject[] {
  const left = new Set(subjects.filter(isLeft));
  if (left.size === 0) return subjects;
  const ended = subjects.filter((one) => isEnded(one) && whileThereOf(one) !== undefined);
  const containerOf = (subject: Subject) =>
    ended.find((one) => whileThereOf(one)?.(presentOf(one), presentOf(subject)) === "is deleted with it")?.urn;
  return subjects.map((subject) => (left.has(subject) ? { ...subject, goesWith: containerOf(subject) } : subject));
}

/** The resource that is in use, and its user, in a warning of the provider. */
export function inUseIn(warning: string): { readonly user: string; readonly id: string; readonly isResource: boolean } | undefined {
  const { code, of, by: user } = parse(warning.trim()) ?? {};
  return of && user !== undefined ? { user, id: of.id, isResource: code === "InUse" } : undefined;
}

/** The deletions that the platform refuses because of what is still there then. */
export function refusedDeletions({ subjects, steps, diagnostics }: Plan): readonly Reason[] {
  const at = new Map<string, number>();
  for (const [index, { urn, does }] of steps.entries()) at.set(`${does} ${urn}`, index);
  const ended = subjects.filter((one) => isEnded(one) && whileThereOf(one) !== undefined && one.id !== undefined);
  const near = thereIn(subjects, at, ended.map(keyOf));
  const leftBehind = diagnostics.flatMap(({ message }) => inUseIn(message) ?? []);
  return ended.flatMap((subject): Reason[] => {
    const step = at.get(`delete ${subject.urn}`) ?? Infinity;
    const others = (near.get(keyOf(subject)) ?? []).filter(
      (one) =>
        one.subject !== subject &&
        one.from < step &&
        step < one.until &&
        whileThereOf(subject)?.(presentOf(subject), { ...presentOf(one.subject), inputs: one.inputs }) === "refuses",
    );
    const nodes = leftBehind.filter(({ id }) => id === subject.id);
    if (others.length + nodes.length === 0) return [];
    return [
      {
        code: "collides",
        verdict: "blocked",
        urn: subject.urn,
        called: displayNameOf(subject),
        sentence: `${step === Infinity ? "" : `step ${step + 1} fails: `}it cannot be deleted while ${[
          ...(others.length > 0 ? [inTheWay(others)] : []),
          ...nodes.map(({ user, isResource }) =>
            isResource
              ? `${user} keeps it, whose program leaves it out. Keep it, or write there what that is to have`
              : `nodes of a pool use it: ${user}. Remove it in a later update, once these nodes are deleted`,
          ),
        ].join(", and while ")}`,
      },
    ];
  });
}

/** A resource with its inputs, from one step of the plan to another. */
interface There {
  readonly subject: Subject;
  readonly inputs: Fields;
  readonly from: number;
  readonly until: number;
}

/** What is there at some time and does not leave by itself, by those of some texts that it names. */
function thereIn(
  subjects: readonly Subject[],
  at: ReadonlyMap<string, number>,
  texts: readonly string[],
): ReadonlyMap<string, readonly There[]> {
  const found = new Map(texts.map((text): [string, There[]] => [text, []]));
  if (texts.length === 0) return found;
  const note = (one: There): void => {
    for (const text of new Set(textsIn(one.inputs))) found.get(text)?.push(one);
  };
  const ended = new Set(subjects.filter(isEnded).map(({ urn }) => urn));
  // The order of a preview's steps differs between previews of the same change.
  for (const subject of subjects.toSorted((one, other) => (one.urn < other.urn ? -1 : 1))) {
    const { urn, before, inputs, operation, deletedWith } = subject;
    const isDeleted = isEnded(subject) && !(deletedWith !== undefined && ended.has(deletedWith));
    const changed = at.get(`update ${urn}`);
    if (before && !isDeleted && subject.goesWith === undefined && !(changed !== undefined && detaches(subject)))
      note({ subject, inputs: before, from: -1, until: changed ?? Infinity });
    const made = changed ?? at.get(`create ${urn}`) ?? at.get(`adopt ${urn}`);
    if (made !== undefined && operation !== "delete") note({ subject, inputs, from: made, until: Infinity });
  }
  return found;
}

function inTheWay(others: readonly There[]): string {
  const [one] = others;
  const names = listed([...new Set(others.map(({ subject }) => displayNameOf(subject)))]);
  const stays = others.some(({ until }) => until !== Infinity)
    ? `which leave${others.length === 1 ? "s" : ""} it only in a later step. Take it out in a run of its own, after that`
    : `which stay${others.length === 1 ? "s" : ""}${one === undefined ? "" : remedyFor(one.subject)}`;
  return `${names} ${others.length === 1 ? "is" : "are"} there, ${stays}`;
}

function remedyFor({ retained, leftWith }: Subject): string {
  if (leftWith !== undefined && !retained) return " (deletedWith). Take that option out and run pulumi up first, or keep both";
  return `${retained ? " (retainOnDelete)" : ""}. Keep both, or delete both`;
}

/** Whether a resource, or the old one of a replacement, is deleted on the platform. */
function isEnded(subject: Subject): boolean {
  return subject.operation === "delete" ? !isLeft(subject) : subject.operation === "replace" && !subject.retained;
}

function whileThereOf({ kind }: Subject): WhileThere | undefined {
  return kind && reviewed(kind).ending.whileThere;
}

/** Whether the provider detaches it from what is deleted before it is changed itself. */
function detaches({ kind }: Subject): boolean {
  const definition: Definition | undefined = kind && definitions[kind];
  return definition?.detaches === true;
}

const presentOf = ({ kind, id, before, inputs }: Subject) => ({ kind, id, inputs: before ?? inputs });

/** What others name it by: the last part of its id. */
function keyOf({ id = "" }: Subject): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
