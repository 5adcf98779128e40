import type { Cause, Change, Shown } from "../report.ts";
import type { Verdict } from "../verdict.ts";
import { placeholder } from "../plan/secrets.ts";
import { type Block, code, firstOf, type Inline, type Line, list, spoken, strong, table } from "./blocks.ts";

export const verdictWords: Readonly<Record<Verdict, string>> = {
  nothing: "nothing to do",
  safe: "safe",
  "needs-approval": "needs approval",
  blocked: "blocked",
};

export const operationWords = {
  refused: "refused",
  delete: "deleted",
  replace: "replaced",
  update: "changed in place",
  create: "created",
  adopt: "imported",
  detach: "no longer managed",
} as const;

export function summaryOf({ called, operation, verdict, properties }: Change): Inline[] {
  const inputs = [...new Set(properties.map(({ path }) => path))].map(code);
  return [
    code(called),
    ` ${operationWords[operation]}`,
    ...(operation === "update" && inputs.length > 0 ? [": ", ...firstOf(inputs, 4)] : []),
    ...(verdict === "safe" ? [] : [" — ", strong(verdictWords[verdict])]),
  ];
}

/** The meaning of a change. `unreachable`: everything that cannot be reached because of it and its dependents. */
export function meaningOf(change: Change, unreachable: readonly string[] = change.unreachable): Block[] {
  const { notes, undo, causes, urn, source } = change;
  const from = causes.filter((cause) => cause.urn !== urn).map((cause) => code(placeOf(cause)));
  return list([
    ...(from.length > 0 ? [["Caused by ", ...firstOf(from, 5)]] : []),
    ...notes.map((note) => spoken(capital(note))),
    ...(unreachable.length > 0 ? [["Cannot be reached: ", ...firstOf(unreachable, 5)]] : []),
    ...(undo.sentence === "" ? [] : [spoken(`Undo: ${undo.possible === "yes" ? "" : `${undo.possible}, `}${undo.sentence}`)]),
    ...(source === undefined ? [] : [["Declared at ", code(`${source.file}:${source.line}`)]]),
  ]);
}

/** The display name of a cause, with the input that was changed. */
export function placeOf({ called, property }: Cause): string {
  return property === undefined ? called : `${called}.${property}`;
}

export function propertiesOf({ properties, operation }: Change): Block[] {
  if (properties.length === 0) return [];
  if (operation === "create" || operation === "adopt")
    return [
      table(
        ["Property", "Value"],
        properties.map(({ path, after }) => [[code(path)], shownAs(after)]),
      ),
    ];
  const rows = properties.map(({ path, before, after, effect }) => [
    [code(path)],
    shownAs(before),
    shownAs(after),
    effect === "replaces" ? [strong("replaces")] : [effect === "unknown" ? "" : effect],
  ]);
  return [table(["Property", "Before", "After", "Effect"], rows)];
}

function shownAs(value: Shown): Line {
  switch (value.kind) {
    case "absent":
      return ["—"];
    case "secret":
      return [code(placeholder(value.digest))];
    case "unknown":
      return [value.from.length === 0 ? "known after apply" : `known after apply, from ${value.from.join(", ")}`];
    case "value":
      return [code(typeof value.value === "string" ? value.value : JSON.stringify(value.value))];
  }
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
