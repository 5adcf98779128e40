import * as cluster from "@container-platform/sdk/cluster";
import { kubernetesRules, repeatedTaint, type Rule } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { allowed, object, pairs, unordered, withRule } from "../../../definition/inputs.ts";

/** Inputs that nodes get as Kubernetes has them. */

export const labels = keyed(kubernetesRules.labelKey, kubernetesRules.labelValue);
export const annotations = keyed(kubernetesRules.annotationKey);

function keyed(key: Rule, value?: Rule): typeof pairs {
  return withRule(pairs, (given) => {
    const oddKey = Object.keys(given).find((one) => !key.allows(one));
    if (oddKey !== undefined) return `takes ${key.takes}, not ${JSON.stringify(oddKey)}`;
    const [name, odd] = Object.entries(given).find(([, one]) => value?.allows(one) === false) ?? [];
    return name === undefined ? undefined : `takes ${value?.takes ?? ""}, and that of ${JSON.stringify(name)} is ${JSON.stringify(odd)}`;
  });
}

const taint = object({
  key: allowed(z.string(), kubernetesRules.labelKey),
  value: allowed(z.string(), kubernetesRules.labelValue),
  effect: z.enum(cluster.taintEffects),
});

/** Taints, whose order does not count: a node has a set of them. */
export const taints = unordered(
  withRule(z.array(taint), (given) => {
    const twice = repeatedTaint(given);
    return twice && `has ${JSON.stringify(twice.key)} with the effect ${twice.effect} twice: name each pair once`;
  }),
);

/** A script, which may hold secrets: it is not quoted. */
export const script: z.ZodString = withRule(z.string(), (text) =>
  kubernetesRules.script.allows(text) ? undefined : `takes ${kubernetesRules.script.takes}`,
);

/** Labels or annotations as the platform takes them. */
export function nameList(values: Readonly<Record<string, string>> = {}) {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
