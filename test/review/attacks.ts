import type { Reason } from "../../provider/src/review/verdict.ts";

/** What is there before each attack. What the platform refuses to delete is given up soon. */
export const program = `
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ClusterEndpoint, Namespace, NodePool, RegistryInstance, ReplicationRule, SecurityGroup, Subnet, Token, UserPermission, Vpc } from "@container-platform/pulumi";
const zone = "eu-frankfurt-1";
const soon = { customTimeouts: { delete: "10s" } };
const net = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const nodes = new Subnet("nodes", { vpcId: net.vpcId, cidrBlock: "10.0.0.0/20", zone });
const spare = new Subnet("spare", { vpcId: net.vpcId, cidrBlock: "10.0.16.0/20", zone }, soon);
const second = new Vpc("second", { cidrBlock: "10.1.0.0/16" }, soon);
const inner = new Subnet("inner", { vpcId: second.vpcId, cidrBlock: "10.1.0.0/20", zone });
const web = new SecurityGroup("web", { ingress: [{ protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }] }, soon);
const named = new SecurityGroup("named", { ingress: [{ protocol: "TCP", port: "443", securityGroupId: web.securityGroupId, action: "ACCEPT" }] });
const platform = new Cluster("platform", { vpcId: net.vpcId, subnetId: nodes.subnetId, clusterCidr: "172.16.0.0/16" });
const native = { instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 } };
const workers = new NodePool("workers", { clusterId: platform.clusterId, native: { ...native, subnetIds: [spare.subnetId], scaling: { minReplicas: 2, maxReplicas: 4 } } });
const inside = new ClusterEndpoint("inside", { clusterId: platform.clusterId, isExtranet: false, subnetId: nodes.subnetId, nodePoolIds: [workers.nodePoolId] });
const images = new RegistryInstance("images", { registryName: "attacked", registryType: "premium", deleteBucket: true });
const team = new Namespace("team", { registryId: images.registryId, namespaceName: "team", isPublic: false });
const temp = new Token("temp", { registryId: images.registryId, tokenType: "temp", desc: "" });
`;

/** A change of that program which a reviewer should not take for what it looks like. */
export interface Attack {
  /** The changed program. Where the state has to know an option first, each is deployed but the last. */
  readonly programs: readonly string[];
  readonly verdict: "nothing" | "safe" | "needs-approval" | "blocked";
  readonly codes: readonly Reason["code"][];
  /** Options of the preview and of the `up`. */
  readonly options?: readonly string[];
  /** What is on the platform afterwards, by table of its world. */
  readonly leaves?: Readonly<Record<string, number>>;
}

const lineOf = (name: string): string => program.split("\n").find((line) => line.startsWith(`const ${name} = `)) ?? "";

type Edit = (text: string) => string;
const edited = (...edits: readonly Edit[]): string => edits.reduce((text, edit) => edit(text), program);
const without =
  (...names: readonly string[]): Edit =>
  (text) =>
    names.reduce(
      (left, name) =>
        left
          .split("\n")
          .filter((line) => !line.startsWith(`const ${name} = `))
          .join("\n"),
      text,
    );
const withOptions = (name: string, options: string): Edit => inLine(name, / \}\);$/, ` }, ${options});`);
const withInputs = (name: string, inputs: string): Edit => inLine(name, / \}\);$/, `, ${inputs} });`);
const and =
  (line: string): Edit =>
  (text) =>
    `${text}${line}\n`;

function inLine(name: string, from: string | RegExp, to: string): Edit {
  return (text) => {
    const found = text.split("\n").find((line) => line.startsWith(`const ${name} = `)) ?? "";
    if (found.replace(from, to) === found) throw new Error(`the line of ${name} has no ${String(from)}`);
    return text.replace(found, () => found.replace(from, to));
  };
}

const one = (...edits: readonly Edit[]): readonly string[] => [edited(...edits)];
/** Taken out of the program once the state has their options. */
const leaving = (options: Readonly<Record<string, string>>, ...names: readonly string[]): readonly string[] => [
  edited(...Object.entries(options).map(([name, text]) => withOptions(name, text))),
  edited(without(...names)),
];

export const attacks: Readonly<Record<string, Attack>> = {
  "a VPC deleted, whose subnet is retained": {
    programs: leaving({ inner: "{ retainOnDelete: true }" }, "inner", "second"),
    verdict: "blocked",
    codes: ["collides", "deletes"],
  },
  "a registry deleted, whose namespace is retained": {
    programs: leaving({ team: "{ retainOnDelete: true }" }, "team", "temp", "images"),
    verdict: "blocked",
    codes: ["collides", "deletes"],
  },
  "a cluster deleted, whose pool is retained": {
    programs: leaving({ workers: "{ retainOnDelete: true }" }, "workers", "inside", "platform"),
    verdict: "needs-approval",
    codes: ["deletes"],
    leaves: { nodePools: 0 },
  },
  "a VPC deleted, with which the engine takes its subnet for deleted": {
    programs: leaving({ inner: "{ deletedWith: second }" }, "inner", "second"),
    verdict: "blocked",
    codes: ["collides", "deletes"],
  },
  "a subnet taken out, in which nodes stay": {
    programs: one(without("spare"), inLine("workers", "spare.subnetId", "nodes.subnetId")),
    verdict: "blocked",
    codes: ["collides", "deletes"],
  },
  "a VPC moved on, whose subnet is retained": {
    programs: [
      edited(withOptions("inner", "{ retainOnDelete: true }")),
      edited(withOptions("inner", "{ retainOnDelete: true }"), (text) => text.replaceAll("10.1.0.0", "10.2.0.0")),
    ],
    verdict: "blocked",
    codes: ["collides", "replaces"],
  },
  "a subnet moved into a component": {
    programs: one(
      without("inner"),
      and(`const parts = new pulumi.ComponentResource("acme:net:Parts", "parts");`),
      and(lineOf("inner").replace(" });", " }, { parent: parts });")),
    ),
    verdict: "blocked",
    codes: ["failed"],
  },
  "a subnet moved into a component, with its alias": {
    programs: one(
      without("inner"),
      and(`const parts = new pulumi.ComponentResource("acme:net:Parts", "parts");`),
      and(lineOf("inner").replace(" });", " }, { parent: parts, aliases: [{ parent: pulumi.rootStackResource }] });")),
    ),
    verdict: "nothing",
    codes: [],
  },
  "a name that replaces, by replaceOnChanges": {
    programs: one(
      withInputs("inner", `subnetName: "new"`),
      withOptions("inner", `{ replaceOnChanges: ["subnetName"], deleteBeforeReplace: true }`),
    ),
    verdict: "needs-approval",
    codes: ["replaces"],
  },
  "a change that ignoreChanges leaves out": {
    programs: one(inLine("team", "isPublic: false", "isPublic: true"), withOptions("team", `{ ignoreChanges: ["isPublic"] }`)),
    verdict: "nothing",
    codes: [],
  },
  "half of the internet twice, in IPv6": {
    programs: one(
      inLine(
        "web",
        "ingress: [",
        `ingress: [{ protocol: "TCP", port: "22", ipv6CidrBlock: "::/1", action: "ACCEPT" }, { protocol: "TCP", port: "22", ipv6CidrBlock: "8000::/1", action: "ACCEPT" }, `,
      ),
    ),
    verdict: "needs-approval",
    codes: ["access-opened"],
  },
  "a new group with half of the internet twice": {
    programs: one(
      and(
        `new SecurityGroup("wide", { ingress: ["0.0.0.0/1", "128.0.0.0/1"].map((cidrBlock) => ({ protocol: "TCP", port: "ALL", cidrBlock, action: "ACCEPT" })) });`,
      ),
    ),
    verdict: "needs-approval",
    codes: ["access-opened"],
  },
  "bounds of a pool that are swapped": {
    programs: one(inLine("workers", "minReplicas: 2, maxReplicas: 4", "minReplicas: 4, maxReplicas: 2")),
    verdict: "blocked",
    codes: ["failed"],
  },
  "a pool that the platform may shrink": {
    programs: one(inLine("workers", "minReplicas: 2", "minReplicas: 0")),
    verdict: "needs-approval",
    codes: ["interrupts"],
  },
  "other name servers": {
    programs: one(withInputs("net", `dnsServers: ["198.51.100.53"]`)),
    verdict: "needs-approval",
    codes: ["interrupts"],
  },
  "a role in a cluster that is there": {
    programs: one(
      and(
        `new UserPermission("dev", { clusterId: platform.clusterId, targetUin: "100000000002", roleName: "svc:ro", roleType: "cluster" });`,
      ),
    ),
    verdict: "needs-approval",
    codes: ["access-opened"],
  },
  "a login to a registry that is there": {
    programs: one(and(`new Token("more", { registryId: images.registryId, desc: "more" });`)),
    verdict: "needs-approval",
    codes: ["access-opened"],
  },
  "a temp token taken out, which goes on": {
    programs: one(without("temp")),
    verdict: "needs-approval",
    codes: ["deletes"],
  },
  "a group taken out, which another one names by its id": {
    programs: [
      edited((text) => text.replace("web.securityGroupId", `"WEB"`)),
      edited(without("web"), (text) => text.replace("web.securityGroupId", `"WEB"`)),
    ],
    verdict: "blocked",
    codes: ["collides", "deletes"],
  },
  "a namespace imported as public": {
    programs: [
      edited(withOptions("team", "{ retainOnDelete: true }")),
      edited(without("team")),
      edited(inLine("team", "isPublic: false", "isPublic: true"), withOptions("team", `{ import: "TEAM" }`)),
    ],
    verdict: "needs-approval",
    codes: ["undecided", "access-opened"],
  },
  "one resource alone, which others are in": {
    programs: one(inLine("second", "10.1.0.0/16", "10.2.0.0/16"), inLine("inner", "10.1.0.0/20", "10.2.0.0/20")),
    options: ["--target", "**::second"],
    verdict: "blocked",
    codes: ["collides", "replaces"],
  },
  "one resource alone, and those that depend on it": {
    programs: one(
      inLine("second", "10.1.0.0/16", "10.2.0.0/16"),
      inLine("inner", "10.1.0.0/20", "10.2.0.0/20"),
      inLine("team", "false", "true"),
    ),
    options: ["--target", "**::second", "--target-dependents"],
    verdict: "needs-approval",
    codes: ["replaces"],
  },
  "one resource alone, beside a new one": {
    programs: one(withInputs("net", `vpcName: "other"`), and(`new Vpc("third", { cidrBlock: "10.3.0.0/16" });`)),
    options: ["--target", "**::net"],
    verdict: "needs-approval",
    codes: ["undecided"],
  },
  "protection and what is protected, in one run": {
    programs: [edited(withInputs("images", "deletionProtection: true")), edited(without("team", "temp", "images"))],
    verdict: "blocked",
    codes: ["failed", "protected", "deletes"],
  },
};
