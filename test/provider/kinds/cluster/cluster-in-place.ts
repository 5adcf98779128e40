import { type Props, unknown } from "../../../support/structs.ts";
import type { Change, Unknown } from "../../every-kind/change-laws.ts";

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
  const named = { ...base, clusterName: "one" };
  const described = { ...base, clusterDescription: "for tests" };
  const dated = { ...base, clusterVersion: "1.30.0" };
  const levelled = { ...base, clusterLevel: "L5" };
  const growing = { ...base, autoUpgradeClusterLevel: true };
  const tagged = { ...base, tags: { team: "a", stage: "test" } };
  const modify = ["ModifyClusterAttribute"];
  return [
    { of: "clusterName", from: named, to: { clusterName: "two" }, does: "update", calls: modify },
    { of: "clusterName, taken out", from: named, to: { clusterName: undefined }, does: "update", calls: modify },
    { of: "clusterDescription", from: described, to: { clusterDescription: "of tests" }, does: "update", calls: modify },
    { of: "clusterDescription, taken out", from: described, to: { clusterDescription: undefined }, does: "update", calls: modify },
    { of: "clusterVersion, upward", from: dated, to: { clusterVersion: "1.32.2" }, does: "update", calls: ["UpdateClusterVersion"] },
    { of: "clusterVersion, taken out", from: dated, to: { clusterVersion: undefined }, does: "update", calls: [] },
    { of: "clusterLevel", from: levelled, to: { clusterLevel: "L20" }, does: "update", calls: modify },
    { of: "clusterLevel, taken out", from: { ...base, clusterLevel: "L20" }, to: { clusterLevel: undefined }, does: "update", calls: [] },
    { of: "autoUpgradeClusterLevel", to: { autoUpgradeClusterLevel: true }, does: "update", calls: modify },
    { of: "autoUpgradeClusterLevel, taken out", from: growing, to: { autoUpgradeClusterLevel: undefined }, does: "update", calls: modify },
    { of: "tags", from: tagged, to: { tags: { team: "b", owner: "me" } }, does: "update", calls: ["ModifyClusterTags"] },
    { of: "tags, taken out", from: tagged, to: { tags: undefined }, does: "update", calls: ["ModifyClusterTags"] },
    { of: "eniSubnetIds, one more", from: pods, to: { eniSubnetIds: [second, first] }, does: "update", calls: ["AddVpcCniSubnets"] },
    {
      of: "eniSubnetIds, another order",
      from: { ...pods, eniSubnetIds: [first, second] },
      to: { eniSubnetIds: [second, first] },
      does: "nothing",
      calls: [],
    },
  ];
}

function tokens({ base }: Place): Change[] {
  const own = { useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "https://issuer.example/jwks" };
  const issued = { ...base, serviceAccounts: own };
  const oidc = { autoCreateOidcConfig: true, autoCreateClientId: ["one"], autoInstallPodIdentityWebhookAddon: true };
  const configured = { ...base, oidcConfig: oidc };
  const modify = ["ModifyClusterAuthenticationOptions"];
  const other = { ...own, issuer: "https://other.example" };
  return [
    { of: "serviceAccounts, put in", to: { serviceAccounts: own }, does: "update", calls: modify },
    { of: "serviceAccounts", from: issued, to: { serviceAccounts: other }, does: "update", calls: modify },
    { of: "serviceAccounts, taken out", from: issued, to: { serviceAccounts: undefined }, does: "update", calls: modify },
    {
      of: "serviceAccounts, to the platform",
      from: issued,
      to: { serviceAccounts: { useServiceDefault: true } },
      does: "update",
      calls: modify,
    },
    { of: "serviceAccounts, as they are by default", to: { serviceAccounts: { useServiceDefault: true } }, does: "nothing", calls: [] },
    { of: "oidcConfig, put in", to: { oidcConfig: oidc }, does: "update", calls: modify },
    {
      of: "oidcConfig",
      from: configured,
      to: { oidcConfig: { ...oidc, autoCreateClientId: ["one", "two"] } },
      does: "update",
      calls: modify,
    },
    { of: "oidcConfig, taken out", from: configured, to: { oidcConfig: undefined }, does: "update", calls: modify },
    { of: "serviceAccounts and oidcConfig at once", to: { serviceAccounts: own, oidcConfig: oidc }, does: "update", calls: modify },
  ];
}

function machinesJoin({ base, machines: [first, second] }: Place): Change[] {
  const kept = { ...base, instanceDeleteMode: "retain" };
  const one = { ...kept, existingInstances: [{ instanceIds: [first] }] };
  const both = [{ instanceIds: [first] }, { instanceIds: [second], loginSettings: { password: "Pa55-word" } }];
  const leave = ["DeleteClusterInstances"];
  return [
    {
      of: "existingInstances, put in",
      from: kept,
      to: { existingInstances: both },
      does: "update",
      calls: ["AddExistedInstances", "AddExistedInstances"],
    },
    { of: "existingInstances, one more", from: one, to: { existingInstances: both }, does: "update", calls: ["AddExistedInstances"] },
    {
      of: "existingInstances, one fewer",
      from: { ...kept, existingInstances: both },
      to: { existingInstances: [{ instanceIds: [first] }] },
      does: "update",
      calls: leave,
    },
    {
      of: "existingInstances, one for another",
      from: one,
      to: { existingInstances: [{ instanceIds: [second] }] },
      does: "update",
      calls: ["DeleteClusterInstances", "AddExistedInstances"],
    },
    { of: "existingInstances, taken out", from: one, to: { existingInstances: undefined }, does: "update", calls: leave },
    { of: "existingInstances, emptied", from: one, to: { existingInstances: [] }, does: "update", calls: leave },
  ];
}

function settings({ base }: Place): Change[] {
  const argued = { ...base, extraArgs: { kubeApiServer: ["max-requests-inflight=500"] } };
  const guarded = { ...base, deletionProtection: true };
  const disks = [{ resourceType: "CBS", deleteMode: "retain" }];
  return [
    { of: "extraArgs, put in", to: { extraArgs: { kubeScheduler: ["v=2"] } }, does: "update", calls: ["ModifyClusterExtraArgs"] },
    { of: "extraArgs", from: argued, to: { extraArgs: { kubeScheduler: ["v=2"] } }, does: "update", calls: ["ModifyClusterExtraArgs"] },
    { of: "extraArgs, taken out", from: argued, to: { extraArgs: undefined }, does: "update", calls: ["ModifyClusterExtraArgs"] },
    {
      of: "deletionProtection, on",
      to: { deletionProtection: true },
      does: "update",
      calls: ["EnableClusterDeletionProtection"],
      last: { deletionProtection: false },
    },
    {
      of: "deletionProtection, off",
      from: guarded,
      to: { deletionProtection: false },
      does: "update",
      calls: ["DisableClusterDeletionProtection"],
    },
    {
      of: "deletionProtection, taken out",
      from: guarded,
      to: { deletionProtection: undefined },
      does: "update",
      calls: ["DisableClusterDeletionProtection"],
    },
    { of: "instanceDeleteMode", to: { instanceDeleteMode: "retain" }, does: "update", calls: [] },
    {
      of: "instanceDeleteMode, taken out",
      from: { ...base, instanceDeleteMode: "retain" },
      to: { instanceDeleteMode: undefined },
      does: "update",
      calls: [],
    },
    { of: "resourceDeleteOptions", to: { resourceDeleteOptions: disks }, does: "update", calls: [] },
    {
      of: "resourceDeleteOptions, taken out",
      from: { ...base, resourceDeleteOptions: disks },
      to: { resourceDeleteOptions: undefined },
      does: "update",
      calls: [],
    },
    { of: "upgradeNodes", to: { upgradeNodes: true }, does: "update", calls: [] },
    { of: "upgradeNodes, taken out", from: { ...base, upgradeNodes: true }, to: { upgradeNodes: undefined }, does: "update", calls: [] },
    { of: "credentialsVersion, put in", to: { credentialsVersion: "2" }, does: "update", calls: ["UpdateClusterKubeconfig"] },
    {
      of: "credentialsVersion",
      from: { ...base, credentialsVersion: "a" },
      to: { credentialsVersion: "b" },
      does: "update",
      calls: ["UpdateClusterKubeconfig"],
    },
    {
      of: "credentialsVersion, taken out",
      from: { ...base, credentialsVersion: "a" },
      to: { credentialsVersion: undefined },
      does: "update",
      calls: [],
    },
  ];
}

function unknowns({ pods, machines }: Place): Unknown[] {
  const whole = [
    "clusterName",
    "clusterDescription",
    "clusterVersion",
    "upgradeNodes",
    "clusterLevel",
    "autoUpgradeClusterLevel",
    "extraArgs",
    "deletionProtection",
    "instanceDeleteMode",
    "resourceDeleteOptions",
    "serviceAccounts",
    "oidcConfig",
    "existingInstances",
    "credentialsVersion",
    "tags",
  ].map((of) => ({ of, from: pods, to: { [of]: unknown }, does: "update" as const }));
  return [
    ...whole,
    { of: "a part of extraArgs", from: pods, to: { extraArgs: { kubeApiServer: unknown } }, does: "update" },
    { of: "one of extraArgs", from: pods, to: { extraArgs: { kubeApiServer: ["v=2", unknown] } }, does: "update" },
    {
      of: "a part of resourceDeleteOptions",
      from: pods,
      to: { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: unknown }] },
      does: "update",
    },
    { of: "an issuer", from: pods, to: { serviceAccounts: { useServiceDefault: false, issuer: unknown } }, does: "update" },
    { of: "a client", from: pods, to: { oidcConfig: { autoCreateClientId: [unknown] } }, does: "update" },
    { of: "one of existingInstances", from: pods, to: { existingInstances: [unknown] }, does: "update" },
    { of: "an existing machine", from: pods, to: { existingInstances: [{ instanceIds: [unknown] }] }, does: "update" },
    {
      of: "a password",
      from: pods,
      to: { existingInstances: [{ instanceIds: [...machines], loginSettings: { password: unknown } }] },
      does: "update",
    },
    { of: "one of tags", from: pods, to: { tags: { team: unknown } }, does: "update" },
  ];
}
