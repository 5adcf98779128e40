/** Sentences of warnings that say what only a look at the platform tells. The reviewer of a preview recognises them. */

/** What a resource leaves behind, and in what, which cannot be deleted then. `how` names the place: "stays in subnet-1". */
export function leftBehindIn(by: string, ids: string, how: string): string {
  return `${by}: ${ids} ${how}, which cannot be deleted while`;
}

/** Why the place in such a sentence cannot be deleted: it has nodes, or a resource of the program keeps it by itself. */
export const whileLeft = { nodes: "it has nodes", itself: "it does" } as const;

/** The place in such a sentence, which may follow another one, and who stays there. */
export function placeLeftIn(warning: string): { readonly who: string; readonly place: string; readonly isItself: boolean } | undefined {
  const [, who, place, why] =
    /(?:^|\s)[\w.]+: ([^:]+?) (?:stays? in|keeps?) (\S+), which cannot be deleted while (it does)?/.exec(warning) ?? [];
  return who === undefined || place === undefined ? undefined : { who, place, isItself: why === whileLeft.itself };
}

/** What a resource of the program has although it leaves the input out, and what to do where that is in the way of a deletion. */
export function keptBySilence(one: string, path: string, called: string): string {
  return `${one} keeps it, because ${path} is not in its program: what is left out stays as it is on the platform. Put ${called} back into the program; or write ${path} without it into ${one}, [] for none`;
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
