import type { Change, Shown } from "../report.ts";
import type { Verdict } from "../verdict.ts";
import { placeholder } from "../plan/secrets.ts";
import { type Block, code, type Inline, joined, type Line, spoken, strong } from "./blocks.ts";

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
  const inputs = [...new Set(properties.map(({ path }) => path))];
  const changedInputs =
    operation === "update" && inputs.length > 0
      ? [": ", ...joined(inputs.slice(0, 4).map(code)), ...(inputs.length > 4 ? [` and ${inputs.length - 4} more`] : [])]
      : [];
  return [
    code(called),
    ` ${operationWords[operation]}`,
    ...changedInputs,
    ...(verdict === "safe" ? [] : [" — ", strong(verdictWords[verdict])]),
  ];
}

/** `unreachable`: what cannot be reached because of it, with what changes because of it. */
export function meaningOf(change: Change, unreachable: readonly string[] = change.unreachable): Block[] {
  const { notes, undo, causes, urn, source } = change;
  const from = causes.filter((cause) => cause.urn !== urn);
  const items: Line[] = [
    ...(from.length > 0
      ? [
          [
            "Caused by ",
            ...joined(
              from.slice(0, 5).flatMap(({ called, property }) => [code(property === undefined ? called : `${called}.${property}`)]),
            ),
            ...(from.length > 5 ? [` and ${from.length - 5} more`] : []),
          ],
        ]
      : []),
    ...notes.map((note) => spoken(capital(note))),
    ...(unreachable.length > 0
      ? [
          [
            "Cannot be reached: ",
            ...joined(unreachable.slice(0, mostUnreachable)),
            ...(unreachable.length > mostUnreachable ? [` and ${unreachable.length - mostUnreachable} more`] : []),
          ],
        ]
      : []),
    ...(undo.sentence === "" ? [] : [spoken(`Undo: ${undo.possible === "yes" ? "" : `${undo.possible}, `}${undo.sentence}`)]),
    ...(source === undefined ? [] : [["Declared at ", code(`${source.file}:${source.line}`)]]),
  ];
  return items.length === 0 ? [] : [{ block: "list", ordered: false, items }];
}

const mostUnreachable = 5;

export function propertiesOf({ properties, operation }: Change): Block[] {
  if (properties.length === 0) return [];
  if (operation === "create" || operation === "adopt")
    return [{ block: "table", head: ["Property", "Value"], rows: properties.map(({ path, after }) => [[code(path)], shownAs(after)]) }];
  return [
    {
      block: "table",
      head: ["Property", "Before", "After", "Effect"],
      rows: properties.map(({ path, before, after, effect }) => [
        [code(path)],
        shownAs(before),
        shownAs(after),
        effect === "replaces" ? [strong("replaces")] : [effect === "unknown" ? "" : effect],
      ]),
    },
  ];
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
