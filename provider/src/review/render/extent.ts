/** How much of a report a document contains. Deletions and replacements are always in it. */
export interface Extent {
  /** How many changes are shown with their properties, the worst first. */
  readonly detailed: number;
  /** How many further changes are named, deletions and replacements not counted. */
  readonly named: number;
  /** Whether deletions and replacements are explained, or only named. */
  readonly endings: "explained" | "named";
  /** Whether those that happen because of another are explained, too, or only in its tree. */
  readonly cascades: "explained" | "named";
  /** How many reasons are shown at the top. */
  readonly reasons: number;
  readonly appendix: boolean;
  /** Whether the dependencies are shown. */
  readonly diagram: boolean;
}

export const everything: Extent = {
  detailed: Infinity,
  named: Infinity,
  endings: "explained",
  cascades: "explained",
  reasons: Infinity,
  appendix: true,
  diagram: true,
};
