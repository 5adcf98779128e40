import { type Props, unknown } from "../../../support/structs.ts";
import { type Change, eachWay, inAndOut, notKnown, type Unknown } from "../../every-kind/change-laws.ts";

interface Place {
  /** A cluster whose pods have a range of their own. */
  readonly base: Props;
  /** A cluster whose pods have addresses of subnets. */
  readonly pods: Props;
  readonly subnetIds: readonly [string, string, string];
  /** Machines that exist already. */
  readonly machines: readonly [string, string];
}

/** Cluster: what is changed on the cluster itself. */
export function changesInPlace(place: Place): { readonly changes: readonly Change[]; readonly unknowns: readonly Unknown[] } {
  return { changes: [...attributes(place), ...tokens(place), ...machinesJoin(place), ...settings(place)], unknowns: unknowns(place) };
}

function attributes({ base, pods, subnetIds: [first, second] }: Place): Change[] {
  const dated = { ...base, clusterVersion: "1.30.0" };
  const tags = [
    { team: "a", stage: "test" },
    { team: "b", owner: "me" },
  ] as const;
  return [
    ...eachWay(base, { clusterName: ["one", "two"], clusterDescription: ["for tests", "of tests"] }),
    { of: "clusterVersion, upward", from: dated, to: { clusterVersion: "1.32.2" }, calls: ["UpdateClusterVersion"] },
    { from: dated, to: { clusterVersion: undefined }, calls: [] },
    { from: { ...base, clusterLevel: "L5" }, to: { clusterLevel: "L20" } },
    { from: { ...base, clusterLevel: "L20" }, to: { clusterLevel: undefined }, calls: [] },
    ...inAndOut(base, { autoUpgradeClusterLevel: true }),
    ...eachWay(base, { tags }, { calls: ["ModifyClusterTags"] }),
    { of: "eniSubnetIds, one more", from: pods, to: { eniSubnetIds: [second, first] }, calls: ["AddVpcCniSubnets"] },
    {
      of: "eniSubnetIds, another order",
      from: { ...pods, eniSubnetIds: [first, second] },
      to: { eniSubnetIds: [second, first] },
      does: "nothing",
    },
  ];
}

function tokens({ base }: Place): Change[] {
  const own = { useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "https://issuer.example/jwks" };
  const oidc = { autoCreateOidcConfig: true, autoCreateClientId: ["one"], autoInstallPodIdentityWebhookAddon: true };
  const calls = ["ModifyClusterAuthenticationOptions"];
  const serviceAccounts = [own, { ...own, issuer: "https://other.example" }] as const;
  return [
    ...eachWay(base, { serviceAccounts, oidcConfig: [oidc, { ...oidc, autoCreateClientId: ["one", "two"] }] }, { calls }),
    {
      of: "serviceAccounts, to the platform",
      from: { ...base, serviceAccounts: own },
      to: { serviceAccounts: { useServiceDefault: true } },
      calls,
    },
    { of: "serviceAccounts, as they are by default", to: { serviceAccounts: { useServiceDefault: true } }, does: "nothing" },
    { to: { serviceAccounts: own, oidcConfig: oidc }, calls },
  ];
}

function machinesJoin({ base, machines: [first, second] }: Place): Change[] {
  const kept = { ...base, instanceDeleteMode: "retain" };
  const joined = [{ instanceIds: [first] }, { instanceIds: [second], loginSettings: { password: "Pa55-word" } }];
  const one = { ...kept, existingInstances: [{ instanceIds: [first] }] };
  const both = { ...kept, existingInstances: joined };
  const [join, leave] = [["AddExistedInstances"], ["DeleteClusterInstances"]];
  return [
    { from: kept, to: { existingInstances: joined }, calls: [...join, ...join] },
    { of: "existingInstances, one more", from: one, to: { existingInstances: joined }, calls: join },
    { of: "existingInstances, one fewer", from: both, to: { existingInstances: [{ instanceIds: [first] }] }, calls: leave },
    {
      of: "existingInstances, one for another",
      from: one,
      to: { existingInstances: [{ instanceIds: [second] }] },
      calls: [...leave, ...join],
    },
    { from: one, to: { existingInstances: undefined }, calls: leave },
    { of: "existingInstances, emptied", from: one, to: { existingInstances: [] }, calls: leave },
  ];
}

function settings({ base }: Place): Change[] {
  const extraArgs = [{ kubeApiServer: ["max-requests-inflight=500"] }, { kubeScheduler: ["v=2"] }] as const;
  const guarded = { ...base, deletionProtection: true };
  const counted = { ...base, credentialsVersion: "a" };
  const [on, off] = [["EnableClusterDeletionProtection"], ["DisableClusterDeletionProtection"]];
  const [rotate, pass] = [["UpdateClusterKubeconfig"], ["ModifyClusterExtraArgs"]];
  const local = {
    instanceDeleteMode: "retain",
    resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }],
    upgradeNodes: true,
  };
  return [
    ...eachWay(base, { extraArgs }, { calls: pass }),
    { to: { deletionProtection: true }, calls: on, last: { deletionProtection: false } },
    { from: guarded, to: { deletionProtection: false }, calls: off },
    { from: guarded, to: { deletionProtection: undefined }, calls: off },
    ...inAndOut(base, local, { calls: [] }),
    { to: { credentialsVersion: "2" }, calls: rotate },
    { from: counted, to: { credentialsVersion: "b" }, calls: rotate },
    { from: counted, to: { credentialsVersion: undefined }, calls: [] },
  ];
}

function unknowns({ pods, machines }: Place): Unknown[] {
  const part = (of: string, to: Props): Unknown => ({ of, from: pods, to, does: "update" });
  const tokens = ["serviceAccounts", "oidcConfig", "existingInstances", "credentialsVersion", "tags"];
  const deletion = ["deletionProtection", "instanceDeleteMode", "resourceDeleteOptions"];
  return [
    ...notKnown("update", ["clusterName", "clusterDescription", "clusterVersion", "upgradeNodes", "clusterLevel"], pods),
    ...notKnown("update", ["autoUpgradeClusterLevel", "extraArgs", ...deletion, ...tokens], pods),
    part("a part of extraArgs", { extraArgs: { kubeApiServer: unknown } }),
    part("one of extraArgs", { extraArgs: { kubeApiServer: ["v=2", unknown] } }),
    part("a part of resourceDeleteOptions", { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: unknown }] }),
    part("an issuer", { serviceAccounts: { useServiceDefault: false, issuer: unknown } }),
    part("a client", { oidcConfig: { autoCreateClientId: [unknown] } }),
    part("one of existingInstances", { existingInstances: [unknown] }),
    part("an existing machine", { existingInstances: [{ instanceIds: [unknown] }] }),
    part("a password", { existingInstances: [{ instanceIds: [...machines], loginSettings: { password: unknown } }] }),
    part("one of tags", { tags: { team: unknown } }),
  ];
}
