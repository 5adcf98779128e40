import { type ArgumentRule, argumentsGiven } from "../policy/language/arguments.ts";
import { Part } from "../policy/language/part.ts";
import type { Fields } from "../plan/values.ts";
import { type Judgement, listed } from "./judgement.ts";

/** How arguments of Kubernetes' components open what they guard. The same rules tell it that policies check. */

/** Whether a rule keeps others out. */
function isGuard({ severity }: ArgumentRule): boolean {
  return severity === "critical" || severity === "high";
}

/** The rules that keep others out, and are broken. */
function broken(rules: readonly ArgumentRule[], inputs: Fields): readonly ArgumentRule[] {
  const part = new Part(inputs);
  return rules.filter((rule) => isGuard(rule) && rule.fails(part, {}).holds === true);
}

/** What the arguments of a resource open, in words; `undefined` if they open nothing. */
export function openedByArguments(rules: readonly ArgumentRule[], inputs: Fields): string | undefined {
  const found = broken(rules, inputs).map((rule) => rule.found);
  return found.length === 0 ? undefined : found.join(", and ");
}

/** What a change of arguments opens: by what they say now, or by what they no longer say. `who`: the components, such as "the API server". */
export function argumentsChanged(rules: readonly ArgumentRule[], before: Fields, after: Fields, who: string): readonly Judgement[] {
  const already = broken(rules, before);
  const opened = broken(rules, after).filter((rule) => !already.includes(rule));
  const [old, now] = [new Part(before), new Part(after)];
  const guards = rules.filter((rule) => isGuard(rule) && !already.includes(rule));
  const withdrawn = guards.flatMap(({ about }) =>
    about.flatMap(({ component, name }) => {
      const values = argumentsGiven(old, component).get(name);
      return values && !argumentsGiven(now, component).has(name) ? [`${name}=${values.at(-1) ?? ""}`] : [];
    }),
  );
  return [
    ...opened.map((rule): Judgement => ({
      code: "access-opened",
      verdict: "needs-approval",
      sentence: `an argument of ${who} ${rule.found}`,
    })),
    ...(withdrawn.length === 0
      ? []
      : [
          {
            code: "safeguard-weakened" as const,
            verdict: "needs-approval" as const,
            sentence: `${who} is no longer told ${listed([...new Set(withdrawn)])}: its own default decides, which may let anybody in`,
          },
        ]),
  ];
}

/** The arguments of a kubelet that change how much it can do, and not who may do what. */
const harmless =
  /^(?:max-pods|pods-per-core|pod-max-pids|(?:kube|system)-reserved|reserved-(?:cpus|memory)|eviction-.+|image-gc-.+|cpu-(?:manager|cfs)-.+|(?:memory|topology)-manager-.+|registry-(?:qps|burst)|kube-api-(?:qps|burst)|event-(?:qps|burst)|serialize-image-pulls|max-parallel-image-pulls|container-log-max-.+|node-status-.+-frequency|v)$/;

/** The arguments of kubelets that change, and of which it is not known here what they do. */
export function unknownKubeletArguments(rules: readonly ArgumentRule[], before: Fields, after: Fields): readonly string[] {
  const [old, now] = [before, after].map((inputs) => argumentsGiven(new Part(inputs), "kubelet"));
  const told = new Set(rules.filter(isGuard).flatMap(({ about }) => about.map(({ name }) => name)));
  const all = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  return all.filter((name) => !harmless.test(name) && !told.has(name) && old?.get(name)?.join("\0") !== now?.get(name)?.join("\0"));
}
