import type { Report } from "../report.ts";
import { type Block, code, type Line, strong } from "./blocks.ts";

/** What the change costs a month, if there are prices. */
export function costOf({ cost }: Report): Block[] {
  if (cost === undefined) return [];
  const { currency, difference, changes, missing, notCounted } = cost;
  const amount = (value: number) => `${value.toLocaleString("en-US", { maximumFractionDigits: 2 })} ${currency}`;
  const more = difference === 0 ? "the same" : `${amount(Math.abs(difference))} ${difference > 0 ? "more" : "less"}`;
  const gaps: Line[] = [
    ...(missing.length > 0 ? [[`Prices are missing for ${missing.join("; ")}. What they belong to is not in the sum`]] : []),
    ...(notCounted.length > 0 ? [["Not counted: ", ...notCounted.flatMap((one, index) => [...(index > 0 ? [", "] : []), code(one)])]] : []),
  ];
  return [
    { block: "paragraph", line: ["Cost a month: ", strong(more), missing.length > 0 ? ", as far as there are prices." : "."] },
    ...(gaps.length > 0 ? [{ block: "list", ordered: false, items: gaps } satisfies Block] : []),
    ...(changes.length > 0
      ? [
          {
            block: "details",
            open: false,
            summary: ["What costs more or less"],
            blocks: [
              {
                block: "table",
                head: ["Resource", "Before", "After"],
                rows: changes.map(({ called, before, after }) => [[code(called)], [amount(before)], [amount(after)]]),
              },
            ],
          } satisfies Block,
        ]
      : []),
  ];
}
