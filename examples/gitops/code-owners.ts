/**
 * The people who own a file by a CODEOWNERS file, without their `@`: the last line that fits says so. Teams are left out, because who is in
 * them is not told; and a pattern that GitHub does not take fits every file, and gives it no owner.
 */
export function ownersOf(codeOwners: string, file: string): readonly string[] {
  const lines = codeOwners.split("\n").flatMap((line) => {
    const [pattern, ...owners] = line
      .replace(/(?:^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    return pattern ? [isTaken(pattern) ? { pattern, owners } : { pattern: "*", owners: [] }] : [];
  });
  const last = lines.findLast(({ pattern }) => fits(pattern, file));
  return (last?.owners ?? []).flatMap((owner) => /^@([\w-]+)$/.exec(owner)?.[1] ?? []);
}

function isTaken(pattern: string): boolean {
  return !/[!\\[\]]/.test(pattern);
}

function fits(pattern: string, file: string): boolean {
  const body = pattern.replace(/^\//, "").replace(/\/$/, "");
  // A slash that is not the last character ties a pattern to the repository's folder.
  const start = pattern.replace(/\/$/, "").includes("/") ? "^" : "^(?:.*/)?";
  // A folder has all that is below it; `docs/*` only the files in it.
  const end = pattern.endsWith("/") ? "/" : /\*[^/]*$/.test(body) ? "$" : "(?:/|$)";
  const middle = body.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|]/g, (part) => wild[part] ?? `\\${part}`);
  return new RegExp(`${start}${middle}${end}`).test(file);
}

const wild: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
