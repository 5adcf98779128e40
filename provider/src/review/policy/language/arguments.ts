import type { KnownKind } from "../../plan/definition.ts";
import { isText, type Value } from "../../plan/values.ts";
import * as z from "@container-platform/sdk/zod";
import { any, type Described, type Part, type Rule, type Truth, truth, usualEnforcement } from "./rule.ts";

/** Where the arguments of a Kubernetes component are given. */
const components = {
  "kube-apiserver": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeApiServer") },
  "kube-controller-manager": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeControllerManager") },
  "kube-scheduler": { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("kubeScheduler") },
  etcd: { kind: "Cluster", of: (inputs) => inputs.at("extraArgs").at("etcd") },
  kubelet: { kind: "NodePool", of: (inputs) => inputs.at("native").at("kubeletArgs") },
} as const satisfies Readonly<Record<string, { readonly kind: KnownKind; readonly of: (inputs: Part) => Part }>>;

type Component = keyof typeof components;

export interface ArgumentRule extends Rule {
  /** The arguments that it is about, by component. */
  readonly about: readonly { readonly component: Component; readonly name: string }[];
}

type Implied = "enforcement" | "remedy";

/** What the values of an argument must not be, in the order in which it is given. One without a value has the value `true`. */
type Breaks = (values: readonly [string, ...string[]]) => boolean;

/** A rule that forbids values of arguments, by component and name. An argument that is left out is left to the platform, and breaks no rule. */
export function argumentRule({
  forbids,
  ...described
}: Omit<Described, "kinds" | Implied> &
  Partial<Pick<Described, Implied>> & {
    readonly forbids: Partial<Readonly<Record<Component, Readonly<Record<string, Breaks>>>>>;
  }): ArgumentRule {
  const [first, ...others] = keysOf(components).filter((component) => forbids[component] !== undefined);
  if (first === undefined) throw new Error(`${described.id} is about no component`);
  return {
    enforcement: usualEnforcement[described.severity],
    remedy: "Remove the argument: the platform's own setting is safe.",
    ...described,
    kinds: [components[first].kind],
    parameters: z.strictObject({}),
    about: [first, ...others].flatMap((component) => keysOf(forbids[component] ?? {}).map((name) => ({ component, name }))),
    fails: (inputs) => {
      const breaks = (component: Component): Truth => broken(components[component].of(inputs), forbids[component] ?? {});
      return any(breaks(first), ...others.map(breaks));
    },
  };
}

/** The arguments of a component that a resource with these inputs gives, by name, as far as they are not hidden. */
export function argumentsGiven(inputs: Part, component: Component): ReadonlyMap<string, readonly string[]> {
  const given = components[component].of(inputs).items.flatMap(({ shown }) => (shown ? [argumentIn(shown.value)] : []));
  return new Map([...Map.groupBy(given, ({ name }) => name)].map(([name, all]) => [name, all.map(({ value }) => value)]));
}

function broken(given: Part, forbidden: Readonly<Record<string, Breaks>>): Truth {
  const all = given.items.map((item) => ({ item, argument: item.shown && argumentIn(item.shown.value) }));
  const hidden = all.findLastIndex(({ argument }) => argument === undefined);
  const lacking = truth(undefined, all[hidden]?.item.path ?? given.path);
  const each = Object.entries(forbidden).map(([name, breaks]): Truth => {
    const place = all.findLastIndex(({ argument }) => argument?.name === name);
    const [first, ...others] = all.flatMap(({ argument }) => (argument?.name === name ? [argument.value] : []));
    // What is hidden may be the same argument again, and then the last one holds.
    if (first !== undefined && place > hidden && breaks([first, ...others])) return truth(true, all[place]?.item.path ?? given.path);
    return hidden < 0 ? truth(false, given.path) : lacking;
  });
  return given.anyOf(each);
}

/** An argument as the components read it: with dashes or without, and `_` for `-`. */
function argumentIn(value: Value | undefined) {
  const [, name = "", given = "true"] = /^-{0,2}([^=\s]+)(?:=(.*))?$/s.exec(isText(value) ? value.trim() : "") ?? [];
  return { name: name.replaceAll("_", "-"), value: given.trim() };
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table).filter((key): key is Key => Object.hasOwn(table, key));
}

/** Of an argument that is given several times, the last value holds. */
const last =
  (holds: (value: string) => boolean): Breaks =>
  (values) =>
    holds(values.at(-1) ?? values[0]);
/** Of an argument that takes a list, all values are added up. */
const together =
  (holds: (names: readonly string[]) => boolean): Breaks =>
  (values) =>
    holds(values.flatMap((value) => value.split(",")).map((name) => name.trim()));

/** As Go reads a boolean. */
export const isOn = last((value) => ["1", "t", "T", "true", "TRUE", "True"].includes(value));
export const isOff = last((value) => ["0", "f", "F", "false", "FALSE", "False"].includes(value));
/** Any value: the argument itself is forbidden. */
export const isSet: Breaks = () => true;
/** `0`, `0s` or `0h0m0s`. */
const zero = /^[-+]?(0+(\.0*)?[a-zµ]*)+$/i;
export const isZero = last((value) => zero.test(value));
export const isNotZero = last((value) => !zero.test(value));
export function lists(...names: readonly string[]): Breaks {
  return together((given) => given.some((name) => names.includes(name)));
}
export function lacks(name: string): Breaks {
  return together((given) => !given.includes(name));
}
export const isNotLoopback = last((value) => !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(value));
