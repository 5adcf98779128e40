import type { Change, Report } from "../report.ts";
import { type Block, code, type Diagram } from "./blocks.ts";

/** More than that nobody reads. */
const most = 60;
const says = {
  refused: "refused",
  delete: "deleted",
  replace: "replaced",
  update: "changed",
  create: "created",
  adopt: "taken over",
} as const;

/** The affected part of what stands on what. */
export function diagramOf({ changes, graph }: Report): Block[] {
  const linked = new Set(graph.flatMap(({ from, to }) => [from, to]));
  const there = changes.filter(({ urn }) => linked.has(urn));
  if (there.length < 2 || there.every(({ operation }) => operation === "create")) return [];
  const shown = there.slice(0, most);
  const ids = new Map(shown.map(({ urn }, index) => [urn, `n${index}`]));
  const arrows = graph.flatMap(({ from, to }) => {
    const [one, other] = [ids.get(from), ids.get(to)];
    return one === undefined || other === undefined ? [] : [{ from: one, to: other }];
  });
  const left = there.length - shown.length;
  return [
    {
      block: "details",
      open: false,
      summary: ["What stands on what", ...(left > 0 ? [`, without ${left} more`] : [])],
      blocks: [
        { block: "diagram", diagram: { boxes: shown.map((change) => boxOf(change, ids)), arrows: fewest(arrows) } },
        { block: "paragraph", line: ["An arrow leads from a thing to what it stands on."] },
      ],
    },
  ];
}

function boxOf({ urn, called, verdict, operation }: Change, ids: ReadonlyMap<string, string>): Diagram["boxes"][number] {
  return { id: ids.get(urn) ?? "n", text: called, tone: verdict, says: says[operation] };
}

/** Without the arrows that others already tell. */
function fewest(arrows: Diagram["arrows"]): Diagram["arrows"] {
  const below = new Map<string, Set<string>>();
  for (const { from, to } of arrows) below.set(from, (below.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(below.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return arrows.filter(({ from, to }) => ![...(below.get(from) ?? [])].some((next) => next !== to && reaches(next, to)));
}

/** The diagram for Mermaid. Every letter of a text that could mean something to it is written by its number. */
export function mermaidOf({ boxes, arrows }: Diagram): string {
  const lines = boxes.map(({ id, text, tone, says: does }) => `  ${id}["${encoded(`${text}: ${does}`)}"]:::${classes[tone]}`);
  return [
    "flowchart TD",
    ...lines,
    ...arrows.map(({ from, to }) => `  ${from} --> ${to}`),
    "  classDef blocked fill:#ffdce0,stroke:#b31d28,color:#24292e",
    "  classDef approval fill:#fff5b1,stroke:#b08800,color:#24292e",
    "  classDef safe fill:#dcffe4,stroke:#22863a,color:#24292e",
  ].join("\n");
}

const classes = { blocked: "blocked", "needs-approval": "approval", safe: "safe" } as const;

function encoded(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 .:/-]/gu, (letter) => `#${letter.codePointAt(0) ?? 32};`);
}

export function diagramText({ boxes, arrows }: Diagram): Block[] {
  const names = new Map(boxes.map(({ id, text }) => [id, text]));
  const items = boxes.map(({ id, text, says: does }) => {
    const below = arrows.filter(({ from }) => from === id).flatMap(({ to }) => names.get(to) ?? []);
    return [code(text), ` ${does}`, ...(below.length > 0 ? [`, stands on ${below.join(", ")}`] : [])];
  });
  return [{ block: "list", ordered: false, items }];
}
