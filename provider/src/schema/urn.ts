/** The name of a resource, which may itself contain `::`. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::") || urn;
}

/** The resource's own type without its package and module, such as `Vpc`. */
export function typeOf(urn: string): string {
  return urn.split("::")[2]?.split(":").at(-1) ?? "";
}
