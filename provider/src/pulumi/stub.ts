/**
 * The text by which Pulumi's state says how a resource is managed. It names this package and the kind, and holds no code: it opens
 * `host.ts` of whatever version is installed. These texts are in states for ever, and must stay the same to the byte.
 */
export function stubOf(type: string): string {
  return `exports.handler=()=>require("@container-platform/pulumi/host").get("${type}")`;
}

/** The type of a resource as Pulumi knows it. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/container-platform:${type}`;
}
