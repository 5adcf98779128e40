/** A pattern as a regular expression: `*` matches anything but `/`, `**` anything. */
export function patternOf(pattern: string): RegExp {
  const source = pattern
    .split("**")
    .map((part) => part.split("*").map(literally).join("[^/]*"))
    .join(".*");
  return new RegExp(`^${source}$`, "s");
}

/** Escapes a text for a regular expression. */
function literally(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
