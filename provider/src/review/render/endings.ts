import type { Change, Report } from "../report.ts";
import { type Block, type Branch, code, type Extent, type Inline, joined, type Line, strong } from "./blocks.ts";
import { byValue } from "../judge/headline.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf } from "./change.ts";

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

/** A deletion, a replacement or a refusal that causes itself, and the others that happen because of it. */
export interface Cascade {
  readonly root: Change;
  /** Each is in one cascade only, even if several cause it. */
  readonly members: readonly Change[];
}

/** The deletions, replacements and refusals, each below its cause. */
export function cascadesOf(ends: readonly Change[]): Cascade[] {
  const byUrn = new Map(ends.map((change) => [change.urn, change]));
  const members = new Map<string, Change[]>();
  const roots: Change[] = [];
  for (const change of ends) {
    const cause = causesItself(change) ? undefined : change.causes.find(({ urn }) => isRoot(byUrn.get(urn)));
    if (cause === undefined) roots.push(change);
    else listAt(members, cause.urn).push(change);
  }
  return roots.map((root) => ({ root, members: members.get(root.urn) ?? [] }));
}

function isRoot(change: Change | undefined): boolean {
  return change !== undefined && causesItself(change);
}

export function causesItself({ causes, urn, operation }: Change): boolean {
  return operation === "refused" || causes.some((cause) => cause.urn === urn);
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const found = lists.get(key) ?? [];
  lists.set(key, found);
  return found;
}

const names = new Intl.Collator("en", { numeric: true });

/** What changes because of resources, as trees. What was in an earlier tree is named again, without what is below it. */
export class Trees {
  readonly #changes: ReadonlyMap<string, Change>;
  readonly #dependencies = new Map<string, string[]>();
  readonly #shown = new Set<string>();

  constructor({ changes, graph }: Pick<Report, "changes" | "graph">) {
    this.#changes = new Map(changes.map((change) => [change.urn, change]));
    for (const { from, to } of graph) listAt(this.#dependencies, from).push(to);
  }

  /** The branches below a change. Each resource is below the last of those that it depends on: so the tree shows what leads to what. */
  below({ urn, takesAlong, touches }: Change): Branch[] {
    const members = new Set([...takesAlong, ...touches]);
    const depths = new Map([[urn, 0]]);
    const depthOf = (one: string): number => {
      const known = depths.get(one);
      if (known !== undefined) return known;
      // So that a cycle, which would be a mistake of the engine, ends.
      depths.set(one, 1);
      const found = this.#needed(one, urn, members).reduce((deepest, next) => Math.max(deepest, depthOf(next) + 1), 1);
      depths.set(one, found);
      return found;
    };
    const children = new Map<string, string[]>();
    for (const member of members) {
      const parent = this.#needed(member, urn, members).reduce((last, next) => (depthOf(next) > depthOf(last) ? next : last), urn);
      listAt(children, parent).push(member);
    }
    return this.#byName(children.get(urn)).flatMap((one) => this.#branch(one, children));
  }

  /** What a resource depends on, of those in a tree. */
  #needed(urn: string, root: string, members: ReadonlySet<string>): string[] {
    return this.#byName(this.#dependencies.get(urn)?.filter((one) => one !== urn && (one === root || members.has(one))));
  }

  /** The engine tells what does not depend on each other in another order each time; a tree looks the same. */
  #byName(urns: readonly string[] = []): string[] {
    const nameOf = (urn: string) => this.#changes.get(urn)?.called ?? urn;
    return urns.length < 2 ? [...urns] : urns.toSorted((one, other) => names.compare(nameOf(one), nameOf(other)));
  }

  #branch(urn: string, children: ReadonlyMap<string, readonly string[]>): Branch[] {
    const change = this.#changes.get(urn);
    if (!change) return [];
    const below = this.#byName(children.get(urn));
    const isShown = this.#shown.has(urn);
    this.#shown.add(urn);
    return [
      {
        does: change.operation,
        line: [...lineOf(change), ...(isShown && below.length > 0 ? [" (see above)"] : [])],
        branches: isShown ? [] : below.flatMap((one) => this.#branch(one, children)),
      },
    ];
  }
}

function lineOf({ called, operation, undo }: Change): Inline[] {
  const isLost = operation !== "update" && undo.possible === "no";
  return [code(called), ` ${operationWords[operation]}${isLost ? ", cannot be undone" : ""}`];
}
