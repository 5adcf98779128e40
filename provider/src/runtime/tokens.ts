import { typeToken } from "../dynamic/stub.ts";

/** The package, as Pulumi's types and the names of its configuration begin. */
export const packageName = "container-platform";

const prefix = `${packageName}:index:`;

/** The components, whose types have the same form in every shell. */
const components: readonly string[] = ["Network", "Platform"];

/** The type of a kind of resource of the native plugin. */
export function nativeToken(type: string): string {
  return `${prefix}${type}`;
}

/** The resource's own type, such as `container-platform:index:Vpc`. */
export function tokenOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** Whether a URN is that of a component: it has no id, and what it tells is of its children. */
export function isComponent(urn: string): boolean {
  const token = tokenOf(urn);
  return token.startsWith(prefix) && components.includes(token.slice(prefix.length));
}

/** The kind that a type names, whatever the shell; `undefined` if it is none of ours. */
export function kindOfToken(token: string): string | undefined {
  if (token.startsWith(typeToken(""))) return token.slice(typeToken("").length);
  return token.startsWith(prefix) && !components.includes(token.slice(prefix.length)) ? token.slice(prefix.length) : undefined;
}

/**
 * The URN by which a resource is known, whatever the shell: the one that it has, or would have, as a dynamic resource. Automatic names and
 * ownership tags are made of it, so that a stack moves from one shell to the other without a write.
 */
export function identityOf(urn: string): string {
  const [urnOfStack = "", project, types, ...name] = urn.split("::");
  if (types === undefined) return urn;
  const identity = types.split("$").map((type) => {
    const kind = kindOfToken(type);
    return kind === undefined ? type : typeToken(kind);
  });
  return [urnOfStack, project, identity.join("$"), ...name].join("::");
}
