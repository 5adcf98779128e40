import { presetRoles } from "../catalogue/cluster/roles.ts";
import { matching, type Rule } from "./rule.ts";

/** The numbers of months that can be prepaid (public API). */
const periods: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 36, 48, 60];

/** The most machines of one call (public API). */
export const mostInstances = 100;

/** Values of clusters, whatever else there is. */
export const clusterRules = {
  subAccount: matching(/^\d{1,20}$/, "the id of a sub-account, such as 100000000002"),
  // Specification, Authentication 5 and 6, and Conventions: names of preset roles begin with `svc:`.
  roleName: {
    takes: `${Object.keys(presetRoles).join(", ")}, or the name of a Role or ClusterRole, which does not begin with svc:`,
    allows: (text) => (text.startsWith("svc:") ? Object.hasOwn(presetRoles, text) : text.trim() !== "" && !/[\p{Cc}/]/u.test(text)),
  },
  kubernetesNamespace: matching(
    /^(?=.{1,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    "1 to 63 lower-case letters, digits and -, which neither begins nor ends it",
  ),
  // Specification, Authentication 4: an issuer that cannot be reached, or a wrong JWKSURI, fails.
  httpsAddress: {
    takes: "an address that begins with https://",
    allows: (text) => URL.canParse(text) && new URL(text).protocol === "https:",
  },
  level: matching(/^L\d+$/, "a level such as L5 or L20"),
  instanceType: { takes: "a type such as SA5.MEDIUM4", allows: (text) => text !== "" },
} as const satisfies Readonly<Record<string, Rule>>;

/** Numbers of clusters, whatever else there is. */
export const clusterNumberRules = {
  prepaidPeriod: { takes: "1 to 12, 24, 36, 48 or 60 months", allows: (months) => periods.includes(months) },
} as const satisfies Readonly<Record<string, Rule<number>>>;

/** How somebody logs in to a machine (specification, LoginSettings). */
interface Login {
  readonly password?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
  readonly keepImageLogin?: unknown;
}

/** The ways of logging in that are given; they exclude each other. */
export function waysToLogIn({ password, keyIds = [], keepImageLogin }: Login): readonly ("password" | "keyIds" | "keepImageLogin")[] {
  const keepsImageLogin = String(keepImageLogin).toLowerCase() === "true";
  const given = { password: password !== undefined, keyIds: keyIds.length > 0, keepImageLogin: keepsImageLogin };
  return (["password", "keyIds", "keepImageLogin"] as const).filter((way) => given[way]);
}

/** The free addresses that a cluster needs in its subnet (specification, Limits). */
export const leastAddresses = 10;
/** The addresses that a cluster takes there, at the least. */
export const ownAddresses = 2;
/** The most clusters of a region by default (specification, Limits). */
export const usualClusters = 20;

const name = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
const subdomain = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";
const key = `^(?:(?=[^/]{1,253}/)${subdomain}/)?${name}$`;
const letters = "letters, digits, -, _ and ., which begin and end with a letter or digit";
const keys = `a key of 1 to 63 ${letters}, with or without a DNS subdomain and / in front, such as example.com/team`;

/** Values that nodes take, whatever the platform does with them. */
export const kubernetesRules = {
  // kubernetes.io/docs/concepts/overview/working-with-objects/labels, "Syntax and character set". The API server checks taints by the same
  // rules (ValidateNodeTaints).
  labelKey: matching(new RegExp(key), keys),
  labelValue: matching(new RegExp(`^(?:${name})?$`), `a value of up to 63 ${letters}`),
  // kubernetes.io/docs/concepts/overview/working-with-objects/annotations. The API server ignores the case of keys (ValidateAnnotations).
  annotationKey: matching(new RegExp(key, "i"), keys),
  // docs.kernel.org/admin-guide/sysctl: a value may be empty (kernel.modprobe) or have several numbers (net.ipv4.tcp_rmem).
  kernelArgument: matching(/^[^\s=]+=(?:\t|\P{Cc})*$/u, "a parameter of the kernel such as net.core.somaxconn=1024"),
  // Specification, InstanceAdvancedSettings; RFC 4648, section 4.
  script: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "text of the form base64"),
} as const satisfies Readonly<Record<string, Rule>>;

/** The first taint that another one before it has the key and the effect of: a node has each pair once (ValidateNodeTaints). */
export function repeatedTaint<Of extends { readonly key: string; readonly effect: string }>(taints: readonly Of[]): Of | undefined {
  return taints.find((taint, index) => taints.findIndex((one) => one.key === taint.key && one.effect === taint.effect) < index);
}

/** Whether a version such as `1.30.4` is older than another. A missing part counts as 0. */
export function isOlderVersion(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  const at = one.findIndex((number, index) => number !== (other[index] ?? 0));
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
