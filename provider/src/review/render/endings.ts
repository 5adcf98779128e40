import type { Change, Report } from "../report.ts";
import { displayNameOfUrn } from "../plan/subject.ts";
import { type Block, code, type Inline, joined, type Line, strong } from "./blocks.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf } from "./change.ts";

/** All deletions, replacements and refusals, those that cause others first. */
export function ended(changes: readonly Change[], how: "explained" | "named", detailed: number): Block[] {
  if (changes.length === 0) return [];
  const parts = (["refused", "delete", "replace"] as const).filter((one) => changes.some(({ operation }) => operation === one));
  const heading: Block = {
    block: "heading",
    level: 3,
    line: [capital(new Intl.ListFormat("en-GB").format(parts.map((one) => operationWords[one])))],
  };
  if (how === "named") return [heading, { block: "list", ordered: false, items: byKind(changes) }];
  const first = changes.slice(0, detailed);
  return [
    heading,
    ...first.map((change): Block => ({
      block: "details",
      open: causesItself(change),
      summary: endingOf(change),
      blocks: explained(change),
    })),
    ...(first.length < changes.length
      ? [{ block: "list", ordered: false, items: changes.slice(first.length).map(endingOf) } satisfies Block]
      : []),
  ];
}

function explained(change: Change): Block[] {
  const { takesAlong, touches } = change;
  const reach: Line[] = [
    ...(takesAlong.length > 0 ? [["Also deletes or replaces ", ...joined(takesAlong.map((urn) => code(displayNameOfUrn(urn))))]] : []),
    ...(touches.length > 0 ? [["Also changes in place ", ...joined(touches.map((urn) => code(displayNameOfUrn(urn))))]] : []),
  ];
  return [...meaningOf(change, reach), ...propertiesOf(change)];
}

function endingOf(change: Change): Inline[] {
  const { called, operation, causes, order, urn, takesAlong } = change;
  if (operation === "refused") return summaryOf(change);
  const own = causes.filter((cause) => cause.urn === urn).flatMap(({ property }) => property ?? []);
  const others = causes.filter((cause) => cause.urn !== urn);
  return [
    code(called),
    ` ${operation === "delete" ? "deleted" : "replaced"}`,
    ...(own.length > 0 ? [" because of ", ...joined(own.map(code))] : []),
    ...(others.length > 0
      ? [" because of ", code(placeOf(others[0])), ...(others.length > 1 ? [` and ${others.length - 1} more`] : [])]
      : []),
    ...(order === undefined || order === "not told" ? [] : [`, ${order}`]),
    ...(causesItself(change) && takesAlong.length > 0 ? [", with ", strong(String(takesAlong.length)), " more"] : []),
  ];
}

function placeOf(cause: Change["causes"][number] | undefined): string {
  return cause === undefined ? "" : cause.property === undefined ? cause.called : `${cause.called}.${cause.property}`;
}

function causesItself({ causes, urn, operation }: Change): boolean {
  return operation === "refused" || causes.some((cause) => cause.urn === urn);
}

/** Only the names, by kind and operation. */
function byKind(changes: readonly Change[]): Line[] {
  const groups = new Map<string, string[]>();
  for (const { operation, type, name } of changes) {
    const key = `${type.slice(type.lastIndexOf(":") + 1)} ${operationWords[operation]}`;
    const names = groups.get(key);
    if (names) names.push(name);
    else groups.set(key, [name]);
  }
  return [...groups].map(([key, names]) => [strong(key), `, ${names.length}: `, ...joined(names.map(code))]);
}

/** The engine's steps in order. */
export function orderOf({ moves }: Report, most: number): Block[] {
  if (moves.length === 0 || most === 0) return [];
  const verbs = { create: "create", update: "change", delete: "delete", adopt: "import" } as const;
  return [
    {
      block: "details",
      open: false,
      summary: [`The order: ${moves.length} step${moves.length === 1 ? "" : "s"}`],
      blocks: [{ block: "list", ordered: true, items: moves.slice(0, most).map(({ does, called }) => [`${verbs[does]} `, code(called)]) }],
    },
  ];
}
