import { type KindName, kinds, reviewed } from "../../resources/reviews.ts";

/** Names of kinds that are not their own words. */
const nouns: Partial<Readonly<Record<KindName, string>>> = { Vpc: "VPC", Ipv6Block: "IPv6 block", RegistryInstance: "registry" };

/** What a resource is called in a sentence: `node pool`. */
export function nounOf(type: string): string {
  const last = type.slice(type.lastIndexOf(":") + 1);
  const kind = kinds.find((one) => one === last);
  return (kind && nouns[kind]) ?? last.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
}

/** `1 node pool`, `2 registries`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
  return `${count.toLocaleString("en-US")} ${plural}`;
}

/** A list as in a sentence: `a, b and c`. */
export function enumerated(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

export function durationOf(seconds: number): string {
  if (seconds < 50) return "less than a minute";
  return `about ${counted(Math.max(1, Math.round(seconds / 60)), "minute")}`;
}

/** Clusters and registries, whose loss matters most, first. */
export function byValue(one: { readonly kind?: KindName | undefined }, other: { readonly kind?: KindName | undefined }): number {
  return Number(isValuable(other)) - Number(isValuable(one));
}

function isValuable({ kind }: { readonly kind?: KindName | undefined }): boolean {
  return kind === "Cluster" || kind === "RegistryInstance";
}

/** The lower, the more is lost: what holds workloads or images, what holds other data, what this reviewer does not know, and the rest. */
export function worthOf({ kind }: { readonly kind?: KindName | undefined }): number {
  if (isValuable({ kind })) return 0;
  if (kind === undefined) return 2;
  return reviewed(kind).ending.loses === undefined ? 3 : 1;
}
