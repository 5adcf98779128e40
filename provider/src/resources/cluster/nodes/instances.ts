import * as cluster from "@container-platform/sdk/cluster";
import { type Cloud, listed, mostInstances, waysToLogIn } from "@container-platform/sdk";
import { nodesOf } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../../../definition/codes.ts";
import { distinct, object, secret, spelt, withRule } from "../../../definition/inputs.ts";
import { idOf } from "../../../definition/ids.ts";
import { labels, nameList, script, taints } from "./kubernetes-values.ts";
import type { Wait } from "../../../definition/definition.ts";
import { without } from "../../../schema/values.ts";

const entry = object({
  instanceIds: z.array(idOf("ins")).min(1).max(mostInstances),
  instanceAdvancedSettings: object({
    labels: labels.optional(),
    taints: taints.optional(),
    unschedulable: z.boolean().optional(),
    userScript: script.optional(),
    preStartUserScript: script.optional(),
  }).optional(),
  loginSettings: withRule(
    object({
      password: secret(z.string()).optional(),
      keyIds: z.array(idOf("skey")).length(1).optional(),
      keepImageLogin: z.literal(true).optional(),
    }),
    (login) => {
      const ways = waysToLogIn(login);
      return ways.length > 1 ? `takes one of password, keyIds and keepImageLogin, not ${listed(ways)}` : undefined;
    },
  ).optional(),
});
type Entry = z.output<typeof entry>;

/** Machines that join a cluster. Their settings count only when they join, so only their ids are compared. */
export const existingInstances = spelt(
  distinct(
    z.array(entry),
    ({ instanceIds }) => instanceIds,
    (id) => `has ${id} twice: name each machine once`,
  ),
  (value) => {
    const parsed = z.array(z.object({ instanceIds: z.array(z.string()) })).safeParse(value);
    return parsed.success ? parsed.data.flatMap(({ instanceIds }) => instanceIds).sort() : value;
  },
);

/** The known machines that are in the cluster; `undefined` if there are none. */
export async function liveInstances(cloud: Cloud, clusterId: string, known: readonly Entry[] = []): Promise<Entry[] | undefined> {
  if (known.length === 0) return undefined;
  const nodes = (await nodesOf(cloud, clusterId)).map(({ instanceId }) => instanceId);
  const live = known
    .map((one) => ({ ...one, instanceIds: one.instanceIds.filter((id) => nodes.includes(id)) }))
    .filter(({ instanceIds }) => instanceIds.length > 0);
  return live.length > 0 ? live : undefined;
}

/** The nodes of a cluster that are in no pool, which are machines that joined; `undefined` if there are none. */
export async function joinedInstances(cloud: Cloud, clusterId: string): Promise<Entry[] | undefined> {
  const joined = (await nodesOf(cloud, clusterId)).filter(({ nodePoolId }) => !nodePoolId).map(({ instanceId }) => instanceId);
  return joined.length > 0 ? [{ instanceIds: joined }] : undefined;
}

/** Lets machines join and leave, until the desired ones are in the cluster. Machines that leave are kept. */
export async function settleInstances(
  cloud: Cloud,
  { clusterId, existingInstances: desired = [] }: { readonly clusterId: string; readonly existingInstances?: Entry[] | undefined },
  { existingInstances: live = [] }: { readonly existingInstances?: Entry[] | undefined },
  wait: Wait,
): Promise<void> {
  const there = idsIn(live);
  const wanted = idsIn(desired);
  const leaving = without(there, wanted);
  if (leaving.length > 0)
    await cloud.call(cluster.deleteClusterInstances, { clusterId, instanceIds: leaving, instanceDeleteMode: "retain" });
  for (const { instanceIds, instanceAdvancedSettings: settings, loginSettings: login } of desired) {
    const joining = without(instanceIds, there);
    if (joining.length === 0) continue;
    const { failedInstanceIds, failedReasons } = await cloud.call(cluster.addExistedInstances, {
      clusterId,
      instanceIds: joining,
      instanceAdvancedSettings: settings && {
        ...settings,
        labels: settings.labels && nameList(settings.labels),
        unschedulable: settings.unschedulable ? 1 : 0,
      },
      loginSettings: login && { ...login, keepImageLogin: login.keepImageLogin && "true" },
    });
    if (failedInstanceIds.length > 0)
      throw new ProviderError("Failed", `${failedInstanceIds.join(", ")} cannot join: ${failedReasons.join("; ")}`);
  }
  await wait(async () => {
    const nodes = await nodesOf(cloud, clusterId);
    const left = nodes.filter(({ instanceId }) => leaving.includes(instanceId)).map(({ instanceId }) => instanceId);
    if (left.length > 0) return `${listed(left)} ${left.length === 1 ? "is" : "are"} still leaving`;
    const joined = nodes.filter(({ instanceId }) => wanted.includes(instanceId));
    const failed = joined.find(({ instanceState }) => instanceState === "failed");
    if (failed) throw new ProviderError("Failed", `${failed.instanceId} failed to join: ${failed.failedReason}`);
    const running = joined.filter(({ instanceState }) => instanceState === "running").length;
    return running < wanted.length ? `${running} of ${wanted.length} machines joined` : undefined;
  });
}

function idsIn(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ instanceIds }) => instanceIds);
}
