import { matching, type Rule } from "./rule.ts";

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

interface Taint {
  readonly key: string;
  readonly effect: string;
}

/** The first taint that another one before it has the key and the effect of: a node has each pair once (ValidateNodeTaints). */
export function repeatedTaint<Of extends Taint>(taints: readonly Of[]): Of | undefined {
  return taints.find((taint, index) => taints.findIndex((one) => one.key === taint.key && one.effect === taint.effect) < index);
}
