import { cidrSubnet } from "@container-platform/pulumi";
import { expect, test } from "vitest";
import { oneNode } from "../provider/stage/outside.ts";
import { Stage } from "../provider/stage/stage.ts";
import { Deployment } from "../support/deployment.ts";
import { LateReads } from "../support/late-reads.ts";
import { ProviderHere } from "../support/provider-here.ts";
import type { Props } from "../support/structs.ts";

/** Every type of resource on a platform whose reads are three seconds late. */

type Made = (name: string) => Deployment;
const outputOf = (one: Deployment, key: string) => one.state?.outputs[key];

interface Case {
  readonly type: string;
  readonly args: (made: Made) => Props;
  readonly change: Props;
}

const [zone, isPublic] = ["eu-frankfurt-1", false];
const grant = (made: Made) => ({ targetUin: "100000000002", clusterId: made("Cluster").id, roleName: "svc:ns:dev", roleType: "namespace" });
const inRegistry = (made: Made) => ({ registryId: made("RegistryInstance").id });
const open = (...ranges: readonly string[]) => ({ whitelist: ranges.map((cidrBlock) => ({ cidrBlock })) });
const ruleFor = (peer: string) => [{ protocol: "ALL", cidrBlock: peer, action: "ACCEPT" }];

/** By level: resources of a level depend on those before. A second one of a type has a name of its own. */
const levels: readonly Readonly<Record<string, Case>>[] = [
  {
    Vpc: { type: "Vpc", args: () => ({ cidrBlock: "10.0.0.0/16" }), change: { vpcName: "renamed", tags: { team: "a" } } },
    SecurityGroup: {
      type: "SecurityGroup",
      args: () => ({
        ingress: ["192.168.0.0/16", "10.0.0.0/8"].flatMap(ruleFor),
        egress: ["0.0.0.0/0", "10.4.0.0/16", "10.5.0.0/16"].flatMap(ruleFor),
      }),
      change: {
        ingress: ["10.1.0.0/16", "10.2.0.0/16", "10.0.0.0/8"].flatMap(ruleFor),
        egress: ["10.3.0.0/16", "10.4.0.0/16"].flatMap(ruleFor),
        tags: { team: "a" },
      },
    },
    RegistryInstance: {
      type: "RegistryInstance",
      args: () => ({ registryName: "late-images", deleteBucket: true, publicAccess: open("198.51.100.0/25", "198.51.101.0/25") }),
      change: { registryType: "standard", publicAccess: open("203.0.113.0/25", "203.0.113.128/25"), tags: { team: "a" } },
    },
    archive: {
      type: "RegistryInstance",
      args: () => ({ registryName: "late-archive", deleteBucket: true, publicAccess: open("203.0.113.7/32") }),
      change: { publicAccess: undefined },
    },
  },
  {
    Ipv6Block: { type: "Ipv6Block", args: (made) => ({ vpcId: made("Vpc").id }), change: {} },
    Namespace: {
      type: "Namespace",
      args: (made) => ({ ...inRegistry(made), namespaceName: "team", isPublic }),
      change: { severity: "high", retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" } },
    },
    copies: { type: "Namespace", args: (made) => ({ registryId: made("archive").id, namespaceName: "copies", isPublic }), change: {} },
    Token: { type: "Token", args: (made) => ({ ...inRegistry(made), desc: "pull" }), change: { desc: "push", enabled: false } },
  },
  {
    Subnet: {
      type: "Subnet",
      args: (made) => ({
        ...{ vpcId: made("Vpc").id, cidrBlock: "10.0.0.0/20", zone },
        ipv6SubnetCidrBlock: cidrSubnet(String(outputOf(made("Ipv6Block"), "ipv6CidrBlock")), 64, 0),
      }),
      change: { subnetName: "renamed", tags: { team: "a" } },
    },
    Repository: {
      type: "Repository",
      args: (made) => ({ ...inRegistry(made), namespaceName: "team", repositoryName: "web" }),
      change: { briefDescription: "shop" },
    },
    ServiceAccount: {
      type: "ServiceAccount",
      args: (made) => ({ ...inRegistry(made), name: "ci", permissions: [{ resource: "team", actions: ["reg:PushRepository"] }] }),
      change: { description: "builds", permissions: [{ resource: "team", actions: ["reg:PullRepository"] }], passwordVersion: "2" },
    },
    ReplicationRule: {
      type: "ReplicationRule",
      args: (made) => ({
        ...{ sourceRegistryId: made("RegistryInstance").id, ruleName: "archive", destinationRegistryId: made("archive").id },
        ...{ destNamespace: "copies", filters: [{ type: "name", value: "team/**" }] },
      }),
      change: { description: "all", enabled: false },
    },
  },
  {
    Cluster: {
      type: "Cluster",
      args: (made) => ({ vpcId: made("Vpc").id, subnetId: made("Subnet").id, clusterCidr: "172.16.0.0/16" }),
      change: { clusterName: "renamed", credentialsVersion: "2", tags: { team: "a" } },
    },
  },
  {
    NodePool: {
      type: "NodePool",
      args: (made) => ({ clusterId: made("Cluster").id, native: oneNode(made("Subnet").id) }),
      change: { labels: { pool: "workers" }, name: "renamed", taints: [{ key: "a", value: "b", effect: "NoSchedule" }] },
    },
    ...Object.fromEntries(
      ["one", "two"].map((namespace) => [
        namespace,
        { type: "UserPermission", args: (made: Made) => ({ ...grant(made), namespace }), change: { roleName: "svc:ns:ro" } },
      ]),
    ),
  },
  {
    ClusterEndpoint: {
      type: "ClusterEndpoint",
      args: (made) => ({
        clusterId: made("Cluster").id,
        isExtranet: true,
        allowedCidrBlocks: ["203.0.113.0/24"],
        securityGroup: made("SecurityGroup").id,
      }),
      change: { allowedCidrBlocks: ["198.51.100.0/24"] },
    },
    internal: {
      type: "ClusterEndpoint",
      args: (made) => ({ clusterId: made("Cluster").id, isExtranet: false, subnetId: made("Subnet").id }),
      change: { credentialsVersion: "2" },
    },
  },
];

test("all types are created, read, changed and deleted", async () => {
  await using stage = Stage.here();
  const transport = new LateReads(stage.world, 3000);
  const host = new ProviderHere(stage.world, "eu-frankfurt", { transport });
  const all = new Map<string, Deployment>();
  const made: Made = (name) => {
    const one = all.get(name);
    if (!one) throw new Error(`${name} is not deployed`);
    return one;
  };
  const failures: string[] = [];
  const each = async (level: Readonly<Record<string, Case>>, doing: string, work: (name: string, one: Case) => Promise<unknown>) => {
    await Promise.all(
      Object.entries(level).map(([name, one]) =>
        work(name, one).catch((error: unknown) =>
          failures.push(`${doing} ${name}: ${error instanceof Error ? error.message : String(error)}`),
        ),
      ),
    );
  };
  for (const level of levels)
    await each(level, "create", (name, { type, args }) => {
      const one = new Deployment(host, type, name, { __timeouts: { create: "30s", update: "30s", delete: "30s" } });
      all.set(name, one);
      return one.up(args(made));
    });
  for (const level of levels)
    await each(level, "change", async (name, { args, change }) => {
      const news = { ...args(made), ...change };
      await made(name).up(news);
      await made(name).refresh();
      expect(await made(name).preview(news)).toBe("nothing");
    });
  // As with deleteBeforeReplace.
  await each({ ...levels[2], ...levels[4] }, "recreate", async (name, { type, args }) => {
    if (!["Repository", "ServiceAccount", "ReplicationRule", "UserPermission"].includes(type)) return;
    await made(name).destroy();
    await made(name).up(args(made));
  });
  for (const level of levels.toReversed()) await each(level, "delete", (name) => made(name).destroy());
  expect(failures).toEqual([]);
  await host.restart("SIGINT");
  await transport.close();
  expect(await stage.contents()).toEqual({});
}, 300_000);
