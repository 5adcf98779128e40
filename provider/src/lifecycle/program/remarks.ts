/** Sentences of warnings that say what only a look at the platform tells. The reviewer of a preview recognises them. */

/** What a resource leaves behind, and in what, which cannot be deleted then. `how` names the place: "stays in subnet-1". */
export function leftBehindIn(by: string, ids: string, how: string): string {
  return `${by}: ${ids} ${how}, which cannot be deleted while`;
}

/** The place in such a sentence, and who stays there. */
export function placeLeftIn(warning: string): { readonly who: string; readonly place: string } | undefined {
  const [, who, place] =
    /^[\w.]+: (.+?) (?:stays? in|keeps?) (\S+), which cannot be deleted while/.exec(warning.replace(/^warning:\s*/, "")) ?? [];
  return who === undefined || place === undefined ? undefined : { who, place };
}

/** That an import changes what is there. The changes follow, a line each. */
export function changedByImport(id: string): string {
  return `${id} is not as the program says, and is changed:`;
}

/** The changes in such a warning. */
export function importedChangesIn(warning: string): readonly string[] {
  const [first = "", ...changes] = warning.replace(/^warning:\s*/, "").split("\n");
  return first.endsWith(" is not as the program says, and is changed:") ? changes.map((change) => change.trim()) : [];
}
