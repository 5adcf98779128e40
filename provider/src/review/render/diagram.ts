import type { Report } from "../report.ts";
import { type Block, code, details, type Diagram, type Done, list, paragraph } from "./blocks.ts";
import { operationWords } from "./change.ts";

/** The most boxes in a diagram that can still be read. */
const maxBoxes = 60;
const says = { ...operationWords, update: "changed" } as const;

/** The dependencies between the resources that change. */
export function diagramOf({ changes, graph }: Report): Block[] {
  const linked = new Set(graph.flatMap(({ from, to }) => [from, to]));
  const connected = changes.filter(({ urn }) => linked.has(urn));
  if (connected.length < 2 || connected.every(({ operation }) => operation === "create")) return [];
  const shown = connected.slice(0, maxBoxes);
  const ids = new Map(shown.map(({ urn }, index) => [urn, `n${index}`]));
  const arrows = graph.flatMap(({ from, to }) => {
    const [one, other] = [ids.get(from), ids.get(to)];
    return one === undefined || other === undefined ? [] : [{ from: one, to: other }];
  });
  const left = connected.length - shown.length;
  const boxes = shown.map(({ called, operation }, index) => ({ id: `n${index}`, text: called, does: operation, says: says[operation] }));
  return [
    details(
      ["Dependencies", ...(left > 0 ? [`, without ${left} more`] : [])],
      [
        { block: "diagram", diagram: { boxes, arrows: fewest(arrows) } },
        paragraph("An arrow leads from a resource to the one that it depends on."),
      ],
    ),
  ];
}

/** The arrows without those that follow from others. */
function fewest(arrows: Diagram["arrows"]): Diagram["arrows"] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(targets.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return arrows.filter(({ from, to }) => ![...(targets.get(from) ?? [])].some((next) => next !== to && reaches(next, to)));
}

/** The diagram for Mermaid. Every character of a text that could have a meaning in Mermaid is written as a code. */
export function mermaidOf({ boxes, arrows }: Diagram): string {
  const lines = boxes.map(({ id, text, does, says: said }) => `  ${id}["${encoded(`${text}: ${said}`)}"]:::${does}d`);
  return [
    "flowchart TD",
    ...lines,
    ...arrows.map(({ from, to }) => `  ${from} --> ${to}`),
    ...Object.entries(colours).map(([does, colour]) => `  classDef ${does}d ${colour},color:#24292e`),
  ].join("\n");
}

/** The colours that Markdown's trees have, too. A class is named after what is done, with a letter more: some of these words mean something. */
const colours: Readonly<Record<Done, string>> = {
  refused: "fill:#eaeef2,stroke:#57606a",
  delete: "fill:#ffdce0,stroke:#b31d28",
  replace: "fill:#ffe2c8,stroke:#bc4c00",
  update: "fill:#fff5b1,stroke:#b08800",
  create: "fill:#dcffe4,stroke:#22863a",
  adopt: "fill:#ddf4ff,stroke:#0969da",
  detach: "fill:#eaeef2,stroke:#57606a",
};

function encoded(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 .:/-]/gu, (letter) => `#${letter.codePointAt(0) ?? 32};`);
}

export function diagramText({ boxes, arrows }: Diagram): Block[] {
  const names = new Map(boxes.map(({ id, text }) => [id, text]));
  return list(
    boxes.map(({ id, text, says: said }) => {
      const dependencies = arrows.filter(({ from }) => from === id).flatMap(({ to }) => names.get(to) ?? []);
      return [code(text), ` ${said}`, ...(dependencies.length > 0 ? [`, depends on ${dependencies.join(", ")}`] : [])];
    }),
  );
}
