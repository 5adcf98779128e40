import { durationOf } from "../../sdk/src/local/time.ts";
import { isNeeded } from "../support/needed-calls.ts";
import { Stack } from "../support/stack.ts";
import type { Recorded } from "../support/world-content.ts";
import { cost, type Verb, verbs } from "./cost.ts";
import { repeated } from "./figure.ts";
import { nothings } from "./programs.ts";

/** Calls of the example in `examples/platform`, verb by verb, beside the fewest with which it could be done. */

type Counted = Exclude<Verb, "preview">;

/**
 * Reads that cannot be saved. A refresh has to read everything once. An operation that describes many resources is called once, and
 * one that describes a single one (a direction of access, the permissions of a user) once for each.
 */
const reads: Readonly<Record<Counted, number>> = {
  // A look at everything; one for what earlier runs have left; the nodes that access waits for; two kubeconfigs; what others have
  // granted meanwhile, once a user.
  up: 23 + 1 + 1 + 2 + 2,
  refresh: 23,
  // One look until each of these is gone: the cluster, its nodes, two ways of access, the registry, its namespace, the NAT gateway, the
  // elastic IP; and the grants of two users, which are set as a whole.
  destroy: 8 + 2,
};

/** What `up` reads besides, by operation: how often at most, and why it has to. */
const furtherReads: Readonly<Record<string, { readonly most: number; readonly why: string }>> = {
  DescribeVpcs: { most: 1, why: "the VPC after the creation of its IPv6 block: the API assigns the CIDR block" },
  DescribeSubnets: {
    most: 7,
    why: "each subnet that is created separately, and again with its route table; the free IP addresses that the cluster requires",
  },
  DescribeNatGateways: { most: 1, why: "a check that no other gateway has the address" },
  DescribeRouteTables: { most: 2, why: "the main route table of the VPC, in which new subnets begin" },
  DescribeClusters: { most: 2, why: "orphans of an interrupted update, unless just listed; the current tags, before all tags are set" },
  DescribeNodePools: { most: 1, why: "the current tags, before all tags are set" },
  DescribeInstances: { most: 1, why: "the address of the private endpoint, which is created after the registry" },
  DescribeInstanceToken: { most: 1, why: "the settings of the created token, which the response to its creation does not return" },
  DescribeInternalEndpoints: { most: 1, why: "the private endpoint during its creation: its DNS name requires its address" },
  DescribeInternalEndpointDnsStatus: { most: 1, why: "the DNS name of the private endpoint, until it resolves" },
  DescribeTagRetentionRules: { most: 1, why: "the rule, which is created after its namespace" },
  DescribeUserPermissions: {
    most: 4,
    why: "a check that the permission does not exist yet; the user's current permissions, before all of them are set",
  },
  DescribeClusterEndpointStatus: {
    most: 2,
    why: "a check that the endpoint does not exist yet: a creation never adopts one",
  },
  DescribeClusterEndpoints: {
    most: 2,
    why: "the second endpoint, which is created later; the IP allowlist, which is set after the creation",
  },
};

/** The reads of a refresh, each of which `up` makes as well, and what else it cannot save. */
const once = [
  ...["DescribeVpcs", "DescribeSubnets", "DescribeAddresses", "DescribeNatGateways", "DescribeRouteTables"],
  ...["DescribeSecurityGroups", "DescribeSecurityGroupPolicies"],
  ...["DescribeClusters", "DescribeClusterAuthenticationOptions", "DescribeClusterExtraArgs", "DescribeNodePools"],
  ...["DescribeClusterEndpoints", "DescribeInstances", "DescribeExternalEndpointStatus", "DescribeInternalEndpoints"],
  ...["DescribeInternalEndpointDnsStatus", "DescribeInstanceToken", "DescribeNamespaces", "DescribeTagRetentionRules"],
  ...["GetResources", "DescribeClusterInstances"],
];
const twice = ["DescribeClusterEndpointStatus", "DescribeUserPermissions", "DescribeClusterKubeconfig", "LookUpEvents"];
const neededOfUp: Readonly<Record<string, number>> = Object.fromEntries([
  ...once.map((action) => [action, 1]),
  ...twice.map((action) => [action, 2]),
]);

/** How often each operation is called beyond what is needed, and what is allowed. */
function furtherIn(up: readonly Recorded[], checks: readonly string[]) {
  const read = up.filter(({ effect }) => effect === "read").map(({ action }) => action);
  const times = (action: string, among: readonly string[]) => among.filter((one) => one === action).length;
  return [...new Set([...Object.keys(furtherReads), ...read])].map((action) => {
    const { most, why } = furtherReads[action] ?? { most: 0, why: "without a known reason" };
    return { action, most, why, times: Math.max(0, times(action, read) - (neededOfUp[action] ?? 0) - times(action, checks)) };
  });
}

/** Writes cannot be saved: the tables of the tests say for each change which ones it takes. */
function callsOf(verb: Counted, calls: readonly Recorded[]) {
  const writes = calls.filter(({ effect }) => effect === "write").length;
  return { made: calls.length, fewest: writes + reads[verb] };
}

export async function callsOfExample() {
  await using stack = await Stack.ofExample("platform", { programs: "language-host", unhurried: true });
  const during = async (verb: Verb) => {
    const before = stack.calls().length;
    await stack.ok(...verbs[verb]);
    return stack.calls().slice(before);
  };
  const checks = (await during("preview")).map(({ action }) => action).sort();
  const [made, refresh, destroy] = [await during("up"), await during("refresh"), await during("destroy")];
  const up = made.filter(isNeeded);
  return {
    /** The operations that its preview calls, each as often as it does. */
    checks,
    /** How often `up` asks again what it has known for longer than an answer serves. */
    again: made.length - up.length,
    /** The other reads of `up` that neither the preview makes nor the fewest have. */
    further: furtherIn(up, checks).filter(({ times, most }) => times + most > 0),
    ...{ up: callsOf("up", up), refresh: callsOf("refresh", refresh), destroy: callsOf("destroy", destroy) },
  };
}

/** The wall time of previews of the deployed example, as a multiple of those of as many resources that do nothing. */
export async function previewsOfExample(rounds: number): Promise<number[]> {
  const settings = { programs: "language-host", unhurried: true } as const;
  await using ours = await Stack.ofExample("platform", settings);
  await ours.ok(...verbs.up);
  const many = (await ours.resources()).length;
  await using theirs = await Stack.create({ program: nothings(many - 1), ...settings });
  await theirs.ok(...verbs.up);
  return await repeated(async () => (await cost(ours, "preview")).time / (await cost(theirs, "preview")).time, rounds);
}

/**
 * What nothing can shorten: the elastic IP, then the NAT gateway, to which the routes of the subnets lead; then the cluster, its node pool
 * and the nodes of it; then access from the internet, which waits for a node.
 * All else of the example is made meanwhile.
 */
const longestPath = (["addressAllocate", "natCreate", "clusterCreate", "poolCreate", "nodeCreate", "endpointCreate"] as const)
  .map((transition) => durationOf(transition, "realistic"))
  .reduce((sum, milliseconds) => sum + milliseconds, 0);

/** The time of `up` of the example at the time scale realistic, as a multiple of its longest path. */
export async function timeOfExample(): Promise<number> {
  await using stack = await Stack.ofExample("platform", {
    programs: "language-host",
    unhurried: true,
    timeScale: "realistic",
    seconds: 1200,
  });
  const begun = performance.now();
  await stack.ok(...verbs.up);
  return (performance.now() - begun) / longestPath;
}
