import type { Change, Report } from "../report.ts";
import { type Block, code, type Inline, joined, type Line, strong } from "./blocks.ts";
import { type Cascade, cascadesOf, causesItself, Trees } from "./cascade.ts";
import { byValue } from "../judge/words.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf } from "./change.ts";
import type { Extent } from "./extent.ts";

/** All deletions, replacements and refusals, each below the one that causes it. */
export function ended(report: Report, changes: readonly Change[], { endings, detailed, cascades: how }: Extent): Block[] {
  if (changes.length === 0) return [];
  const parts = (["refused", "delete", "replace"] as const).filter((one) => changes.some(({ operation }) => operation === one));
  const heading: Block = {
    block: "heading",
    level: 3,
    line: [capital(new Intl.ListFormat("en-GB").format(parts.map((one) => operationWords[one])))],
  };
  if (endings === "named") return [heading, { block: "list", ordered: false, items: byKind(changes) }];
  const trees = new Trees(report);
  const cascades = cascadesOf(changes);
  const blocks: Block[] = [];
  const named: Line[] = [];
  let left = detailed;
  for (const { root, members } of cascades) {
    if (left > 0) blocks.push(cascadeOf({ root, members: how === "explained" ? members.slice(0, left - 1) : [] }, members, trees));
    else named.push(...[root, ...members].map(endingOf));
    left -= how === "explained" ? 1 + members.length : 1;
  }
  return [heading, ...blocks, ...(named.length > 0 ? [{ block: "list", ordered: false, items: named } satisfies Block] : [])];
}

/** A root with the tree of what happens because of it. `members` are those that are explained, too. */
function cascadeOf({ root, members }: Cascade, all: readonly Change[], trees: Trees): Block {
  const branches = trees.below(root);
  return {
    block: "details",
    does: root.operation,
    open: true,
    summary: endingOf(root),
    blocks: [
      ...meaningOf(root, [...new Set([root, ...all.toSorted(byValue)].flatMap(({ unreachable }) => unreachable))]),
      ...propertiesOf(root),
      ...(branches.length > 0
        ? ([
            { block: "paragraph", line: ["Because of it:"] },
            { block: "tree", branches },
          ] satisfies Block[])
        : []),
      ...members.map((change): Block => ({
        block: "details",
        does: change.operation,
        open: false,
        summary: endingOf(change),
        blocks: [...meaningOf(change), ...propertiesOf(change)],
      })),
    ],
  };
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
  const verbs = { create: "create", update: "change", delete: "delete", adopt: "import", detach: "stop managing" } as const;
  return [
    {
      block: "details",
      open: false,
      summary: [`The order: ${moves.length} step${moves.length === 1 ? "" : "s"}`],
      blocks: [{ block: "list", ordered: true, items: moves.slice(0, most).map(({ does, called }) => [`${verbs[does]} `, code(called)]) }],
    },
  ];
}
