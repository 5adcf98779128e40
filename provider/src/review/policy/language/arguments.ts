import type { KindName } from "../../../resources/reviews.ts";
import type { Part } from "./part.ts";
import { type Described, rule, type Rule } from "./rule.ts";
import { any, type Truth, truth } from "./truth.ts";

/** Where the arguments of a Kubernetes component are given. */
const components = {
  "kube-apiserver": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeApiServer") },
  "kube-controller-manager": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeControllerManager") },
  "kube-scheduler": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeScheduler") },
  etcd: { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("etcd") },
  kubelet: { kind: "NodePool", of: (inputs) => inputs.at("native").at("kubeletArgs") },
} as const satisfies Readonly<Record<string, { readonly kind: KindName; readonly of: (inputs: Part) => Part }>>;

type Component = keyof typeof components;
/** Whether the value of an argument breaks a rule. An argument without a value has the value `true`. */
type Breaks = (value: string) => boolean;

/** A rule that forbids values of arguments, by component and name. An argument that is left out is left to the platform, and breaks no rule. */
export function argumentRule(
  forbidden: Partial<Readonly<Record<Component, Readonly<Record<string, Breaks>>>>>,
  described: Omit<Described, "kinds">,
): Rule {
  const [first, ...others] = keysOf(components).filter((component) => forbidden[component] !== undefined);
  if (first === undefined) throw new Error(`${described.id} is about no component`);
  return rule({
    ...described,
    kinds: [components[first].kind],
    fails: (inputs) => {
      const breaks = (component: Component): Truth =>
        components[component].of(inputs).some((item) => broken(item, forbidden[component] ?? {}));
      return any(breaks(first), ...others.map(breaks));
    },
  });
}

function broken(item: Part, forbidden: Readonly<Record<string, Breaks>>): Truth {
  const each = Object.entries(forbidden).map(([name, breaks]) =>
    item.text((text) => {
      const [, given, value = "true"] = /^-{0,2}([^=\s]+)(?:=(.*))?$/s.exec(text.trim()) ?? [];
      return given === name && breaks(value);
    }),
  );
  return any(truth(false, item.path), ...each);
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table).filter((key): key is Key => Object.hasOwn(table, key));
}

export const isOn: Breaks = (value) => value === "true";
export const isOff: Breaks = (value) => value === "false";
/** Any value: the argument itself is forbidden. */
export const isSet: Breaks = () => true;
/** `0`, `0s` or `0h0m0s`. */
export const isZero: Breaks = (value) => /^(0[a-z]*)+$/.test(value);
export const isNotZero: Breaks = (value) => !isZero(value);
/** A list that contains one of these. */
export function lists(...names: readonly string[]): Breaks {
  return (value) => value.split(",").some((name) => names.includes(name.trim()));
}
/** A list that does not contain this. */
export function lacks(name: string): Breaks {
  return (value) => !value.split(",").some((one) => one.trim() === name);
}
export const isNotLoopback: Breaks = (value) => !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(value);
