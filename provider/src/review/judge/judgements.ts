import { entryText, listChange, ruleChange } from "./access.ts";
import { access, always, type Judge, notUndone, note, partlyUndone, protection, risky, undone } from "./judgement.ts";
import { alike, without } from "../plan/properties.ts";
import { isFields, isList, type KindName, Unknown, type Value } from "../plan/subject.ts";

/** What a change in place of an input means, by kind and input. Inputs that are not here are safe to change and to change back. */
export const judgements: Readonly<Record<KindName, Readonly<Record<string, Judge>>>> = {
  Vpc: {
    dnsServers: note("machines take the new name servers when they renew their lease"),
    enableRouteVpcPublishIpv6: always("access-changed", "how the VPC's IPv6 routes are published changes"),
  },
  Ipv6Block: {},
  Subnet: {
    ipv6SubnetCidrBlock: always("interrupts", "what has an IPv6 address in the subnet loses it", {
      unreachable: "whatever in the subnet is reached by IPv6",
      undo: partlyUndone("the old range can be assigned again, while nobody else has it"),
    }),
    routeTableId: always("interrupts", "traffic of the subnet takes other routes", {
      unreachable: "whatever the new routes do not lead to",
    }),
  },
  SecurityGroup: {
    ingress: access(({ before, after }) => ruleChange(before, after), "what has this group", "what has this group"),
    egress: access(({ before, after }) => ruleChange(before, after), "the way out of what has this group", "the other end"),
  },
  Cluster: {
    clusterVersion: ({ after, old }) => [
      {
        code: "irreversible",
        verdict: "needs-approval",
        sentence: `Kubernetes is upgraded${typeof old["clusterVersion"] === "string" ? ` from ${old["clusterVersion"]}` : ""} to ${told(after)}, and never goes back`,
        unreachable: "the Kubernetes API, for moments while the control plane is upgraded",
        undo: notUndone("a cluster is never downgraded"),
      },
    ],
    credentialsVersion: always("interrupts", "the kubeconfig's certificates are rotated: older kubeconfigs stop working", {
      unreachable: "the cluster's API, for whoever has an older kubeconfig",
      undo: notUndone("revoked certificates stay revoked"),
    }),
    serviceAccounts: always("interrupts", "the issuer of service accounts' tokens changes: tokens of the old one are refused", {
      unreachable: "the API, for workloads with a token of the old issuer",
      undo: undone("the old issuer can be set again; tokens of the new one are refused then"),
    }),
    oidcConfig: always("access-changed", "which identities the cluster takes for its own changes"),
    extraArgs: always("interrupts", "components of the control plane start again with other arguments", {
      unreachable: "the Kubernetes API, for moments",
    }),
    existingInstances: always("interrupts", "machines join the cluster or leave it: what runs on those that leave is moved", {
      unreachable: "workloads on machines that leave, until they run elsewhere",
    }),
    deletionProtection: protection,
    instanceDeleteMode: risky("terminate", "safeguard-weakened", "once the cluster is deleted, its nodes are destroyed and not kept"),
    resourceDeleteOptions: always("safeguard-weakened", "what becomes of disks and load balancers once the cluster is deleted changes"),
    upgradeNodes: note("from the next upgrade on, nodes are upgraded as this says"),
    eniSubnetIds: note("pods take addresses of more subnets", {
      undo: notUndone("a subnet that pods take addresses from cannot be taken away in place"),
    }),
    autoUpgradeClusterLevel: note("the level changes what is billed"),
    clusterLevel: note("the level changes what is billed"),
  },
  NodePool: {
    deletionProtection: protection,
    native: ({ before, after }) => [...scaled(before, after), ...machines(before, after)],
    unschedulable: risky(true, "interrupts", "no new workload is put on the pool's nodes"),
    taints: ({ before, after }) =>
      without(isList(after) ? after : [], isList(before) ? before : []).some((taint) => isFields(taint) && taint["effect"] === "NoExecute")
        ? [
            {
              code: "interrupts",
              verdict: "needs-approval",
              sentence: "a new NoExecute taint drives workloads that do not bear it off the nodes",
            },
          ]
        : [],
  },
  ClusterEndpoint: {
    allowedCidrBlocks: access(({ before, after }) => listChange(before, after, entryText), "the cluster's API", "the cluster's API"),
    securityGroup: always("access-changed", "another security group says who may reach the cluster's API"),
    credentialsVersion: note("the kubeconfig is read again"),
  },
  RegistryInstance: {
    publicAccess: access(
      ({ before, after }) => listChange(whitelistOf(before), whitelistOf(after), entryText),
      "the registry's public endpoint",
      "the registry from the internet",
    ),
    internalAccess: access(
      ({ before, after }) => listChange(before, after, entryText),
      "the registry's internal access",
      "the registry from the VPC",
    ),
    deletionProtection: protection,
    deleteBucket: risky(true, "safeguard-weakened", "once the registry is deleted, its bucket with all images is deleted, too"),
    enableCosVersioning: risky(false, "safeguard-weakened", "overwritten and deleted layers are no longer kept"),
    registryType: note("the type changes what is billed, and what the registry can do"),
  },
  Namespace: {
    isPublic: ({ after }) =>
      after === true
        ? [
            {
              code: "access-opened",
              verdict: "needs-approval",
              sentence: "everybody who reaches the registry may pull its images, without logging in",
            },
          ]
        : [
            {
              code: "access-narrowed",
              verdict: "needs-approval",
              sentence: "its images can be pulled only by those who log in",
              unreachable: "its images, for whoever pulls without logging in",
            },
          ],
    autoScan: risky(false, "safeguard-weakened", "images are no longer scanned when they are pushed"),
    severity: always("access-changed", "which images can be pulled changes, by the severity of what is found in them", {
      unreachable: "images with vulnerabilities of the new severity or above",
    }),
    cveWhitelist: always("safeguard-weakened", "which vulnerabilities do not count changes"),
    retentionRule: always("irreversible", "which images are kept changes: others are deleted", {
      undo: notUndone("images that the rule has deleted do not come back"),
    }),
  },
  Token: {
    enabled: risky(false, "access-narrowed", "nobody can log in with the token any more", {
      unreachable: "whoever logs in to the registry with this token",
      undo: undone("the token can be enabled again"),
    }),
  },
  UserPermission: {},
};

function scaled(before: Value | undefined, after: Value | undefined): ReturnType<Judge> {
  const [old, now] = [nodesOf(before), nodesOf(after)];
  if (old === undefined || now === undefined || old === now) return [];
  if (now > old)
    return [{ verdict: "safe", sentence: `${now - old} more node${now - old === 1 ? "" : "s"} at most: ${old} become ${now}` }];
  return [
    {
      code: "interrupts",
      verdict: "needs-approval",
      sentence: `${old - now} node${old - now === 1 ? " goes" : "s go"}: what runs there is moved, and what is on the disks is lost`,
      unreachable: "workloads on nodes that go, until they run elsewhere",
      undo: partlyUndone("as many nodes can be had again; what was on the old ones' disks is lost"),
    },
  ];
}

function nodesOf(native: Value | undefined): number | undefined {
  if (!isFields(native)) return undefined;
  const scaling = native["scaling"];
  const most = isFields(scaling) ? scaling["maxReplicas"] : native["replicas"];
  return typeof most === "number" ? most : undefined;
}

/** What nodes that are there get, and what only new ones. */
function machines(before: Value | undefined, after: Value | undefined): ReturnType<Judge> {
  if (!isFields(before) || !isFields(after)) return [];
  const changed = (key: string) => !alike(before[key], after[key]) && (before[key] !== undefined || after[key] !== undefined);
  return [
    ...(changed("instanceChargeType") && after["instanceChargeType"] === "PREPAID"
      ? [
          {
            code: "irreversible",
            verdict: "needs-approval",
            sentence: "the nodes are paid in advance from now on",
            undo: notUndone("what is paid in advance is paid"),
          } as const,
        ]
      : []),
    ...(changed("keyIds") || changed("password")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "who can log in to the nodes changes" } as const]
      : []),
    ...(changed("securityGroupIds")
      ? [{ code: "access-changed", verdict: "needs-approval", sentence: "other security groups say what reaches the nodes" } as const]
      : []),
    ...(changed("instanceTypes") || changed("systemDisk") || changed("dataDisks")
      ? [{ verdict: "safe", sentence: "nodes that are there stay as they are: only new ones are made so" } as const]
      : []),
  ];
}

function whitelistOf(access: Value | undefined): Value | undefined {
  return isFields(access) ? access["whitelist"] : access instanceof Unknown ? access : undefined;
}

function told(value: Value | undefined): string {
  return typeof value === "string" ? value : "a version that is known after apply";
}
