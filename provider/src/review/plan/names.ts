/** The name of a resource in reports: `Cluster platform`. */
export function displayNameOf({ type, name }: { readonly type: string; readonly name: string }): string {
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}

export function displayNameOfUrn(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return displayNameOf({ type: types.split("$").at(-1) ?? "", name: name.join("::") });
}
