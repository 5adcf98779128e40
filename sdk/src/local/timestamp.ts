/** A moment in milliseconds as records have it: `2026-01-31T12:00:00Z`. */
export function timestampOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d+Z$/, "Z");
}
