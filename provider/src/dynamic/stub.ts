/**
 * The text in Pulumi's state that says how a resource is managed. It names this package and the kind, and holds no other code: it loads
 * `host.ts` of the version that is installed. These texts are in the states of users, and must never change by a byte.
 */
export function stubOf(type: string): string {
  return `exports.handler=()=>require("@container-platform/pulumi/host").get("${type}")`;
}

/** The type of a kind of resource in Pulumi. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/container-platform:${type}`;
}
