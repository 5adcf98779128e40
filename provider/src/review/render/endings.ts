import type { Change, Report } from "../report.ts";
import {
  type Block,
  type Branch,
  code,
  details,
  type Extent,
  firstOf,
  heading,
  type Inline,
  joined,
  type Line,
  list,
  paragraph,
  strong,
} from "./blocks.ts";
import { chainsBy } from "../plan/graph.ts";
import { byValue } from "../assess/headline.ts";
import { capital, meaningOf, operationWords, placeOf, propertiesOf, summaryOf } from "./change.ts";

/** All deletions, replacements and refusals, each below the one that causes it. */
export function ended(report: Report, changes: readonly Change[], { endings, detailed, cascades: how }: Extent): Block[] {
  if (changes.length === 0) return [];
  const parts = (["refused", "delete", "replace"] as const).filter((one) => changes.some(({ operation }) => operation === one));
  const title = heading(3, capital(new Intl.ListFormat("en-GB").format(parts.map((one) => operationWords[one]))));
  if (endings === "named") return [title, ...list(byKind(changes))];
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
  return [title, ...blocks, ...list(named)];
}

/** A root with the tree of what happens because of it. `members` are those that are explained, too. */
function cascadeOf({ root, members }: Cascade, all: readonly Change[], trees: Trees): Block {
  const branches = trees.below(root);
  const tree: Block[] = branches.length > 0 ? [paragraph("Because of it:"), { block: "tree", branches }] : [];
  const unreachable = [...new Set([root, ...all.toSorted(byValue)].flatMap((change) => change.unreachable))];
  const explained = members.map((change) =>
    details(endingOf(change), [...meaningOf(change), ...propertiesOf(change)], false, change.operation),
  );
  const blocks = [...meaningOf(root, unreachable), ...propertiesOf(root), ...tree, ...explained];
  return details(endingOf(root), blocks, true, root.operation);
}

function endingOf(change: Change): Inline[] {
  const { called, operation, causes, order, urn, takesAlong } = change;
  if (operation === "refused") return summaryOf(change);
  const own = causes.filter((cause) => cause.urn === urn).flatMap(({ property }) => property ?? []);
  const others = causes.filter((cause) => cause.urn !== urn).map((cause) => code(placeOf(cause)));
  return [
    code(called),
    ` ${operation === "delete" ? "deleted" : "replaced"}`,
    ...(own.length > 0 ? [" because of ", ...joined(own.map(code))] : []),
    ...(others.length > 0 ? [" because of ", ...firstOf(others, 1)] : []),
    ...(order === undefined || order === "not told" ? [] : [`, ${order}`]),
    ...(causesItself(change) && takesAlong.length > 0 ? [", with ", strong(String(takesAlong.length)), " more"] : []),
  ];
}

function byKind(changes: readonly Change[]): Line[] {
  const groups = Map.groupBy(changes, ({ operation, type }) => `${type.slice(type.lastIndexOf(":") + 1)} ${operationWords[operation]}`);
  return [...groups].map(([key, all]) => [strong(key), `, ${all.length}: `, ...joined(all.map(({ name }) => code(name)))]);
}

export function orderOf({ moves }: Report, most: number): Block[] {
  if (moves.length === 0 || most === 0) return [];
  const verbs = { create: "create", update: "change", delete: "delete", adopt: "import", detach: "stop managing" } as const;
  const items = moves.slice(0, most).map(({ does, called }) => [`${verbs[does]} `, code(called)]);
  return [details([`The order: ${moves.length} step${moves.length === 1 ? "" : "s"}`], [{ block: "list", ordered: true, items }])];
}

/** A deletion, a replacement or a refusal that causes itself, and the others that happen because of it. */
interface Cascade {
  readonly root: Change;
  /** Each is in one cascade only, even if several cause it. */
  readonly members: readonly Change[];
}

function cascadesOf(ends: readonly Change[]): Cascade[] {
  const byUrn = new Map(ends.map((change) => [change.urn, change]));
  const causeOf = (change: Change) =>
    causesItself(change) ? undefined : change.causes.find(({ urn }) => causesItself(byUrn.get(urn)))?.urn;
  const members = Map.groupBy(ends, causeOf);
  return (members.get(undefined) ?? []).map((root) => ({ root, members: members.get(root.urn) ?? [] }));
}

function causesItself(change: Change | undefined): boolean {
  return change !== undefined && (change.operation === "refused" || change.causes.some(({ urn }) => urn === change.urn));
}

const names = new Intl.Collator("en", { numeric: true });

/** What changes because of resources, as trees. What was in an earlier tree is named again, without what is below it. */
class Trees {
  readonly #changes: ReadonlyMap<string, Change>;
  readonly #dependencies: ReadonlyMap<string, Report["graph"]>;
  readonly #shown = new Set<string>();

  constructor({ changes, graph }: Pick<Report, "changes" | "graph">) {
    this.#changes = new Map(changes.map((change) => [change.urn, change]));
    this.#dependencies = Map.groupBy(graph, ({ from }) => from);
  }

  /** The branches below a change. Each resource is below the last of those that it depends on: so the tree shows what leads to what. */
  below({ urn, takesAlong, touches }: Change): Branch[] {
    const members = new Set([...takesAlong, ...touches]);
    const depthOf = chainsBy(
      (one: string) => (one === urn ? [] : this.#needed(one, urn, members)),
      (one) => (one === urn ? 0 : 1),
    );
    const parentOf = (one: string) =>
      this.#needed(one, urn, members).reduce((last, next) => (depthOf(next) > depthOf(last) ? next : last), urn);
    const children = Map.groupBy(members, parentOf);
    return this.#byName(children.get(urn)).flatMap((one) => this.#branch(one, children));
  }

  /** What a resource depends on, of those in a tree. */
  #needed(urn: string, root: string, members: ReadonlySet<string>): string[] {
    const needed = (this.#dependencies.get(urn) ?? []).map(({ to }) => to);
    return this.#byName(needed.filter((one) => one !== urn && (one === root || members.has(one))));
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
