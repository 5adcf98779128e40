/** Only the real engine shows what it does of changes that look harmless, or are claimed to be carried out and are not: as the review of its preview says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Stack } from "../support/stack.ts";
import { expectAsClaimed, wayBackOf } from "./claimed.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What is there before each attack. What the platform refuses to delete is given up soon. */
const program = `
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
interface Attack {
  /** The changed program. Where the state has to know an option first, each is deployed but the last. */
  readonly programs: readonly string[];
  readonly verdict: "nothing" | "safe" | "needs-approval" | "blocked";
  /** Why, and at what: `deletes: Token temp`. */
  readonly reasons: readonly string[];
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

/** Taken out of the program once the state has their options. */
const leaving = (options: Readonly<Record<string, string>>, ...names: readonly string[]): readonly string[] => [
  edited(...Object.entries(options).map(([name, text]) => withOptions(name, text))),
  edited(without(...names)),
];

const movedOn = [inLine("second", "10.1.0.0/16", "10.2.0.0/16"), inLine("inner", "10.1.0.0/20", "10.2.0.0/20")];

/** An option of which the provider is not told, as a transformation sets it. */
const hidden = (option: string) => `{ transformations: [({ props, opts }) => ({ props, opts: { ...opts, ${option} } })] }`;

const attacks: Readonly<Record<string, Attack>> = {
  "a VPC deleted, with which the engine takes its subnet for deleted": {
    programs: leaving({ inner: hidden("deletedWith: second") }, "inner", "second"),
    verdict: "blocked",
    reasons: ["collides: Vpc second", "deletes: Vpc second"],
  },
  "a cluster deleted, whose pool is retained": {
    programs: leaving({ workers: "{ retainOnDelete: true }" }, "workers", "inside", "platform"),
    verdict: "needs-approval",
    reasons: ["deletes: Cluster platform", "deletes: NodePool workers"],
    leaves: { nodePools: 0 },
  },
  "a subnet moved into a component, with its alias, and a change that ignoreChanges leaves out": {
    programs: [
      edited(
        without("inner"),
        and(`const parts = new pulumi.ComponentResource("acme:net:Parts", "parts");`),
        and(lineOf("inner").replace(" });", " }, { parent: parts, aliases: [{ parent: pulumi.rootStackResource }] });")),
        inLine("team", "isPublic: false", "isPublic: true"),
        withOptions("team", `{ ignoreChanges: ["isPublic"] }`),
      ),
    ],
    verdict: "nothing",
    reasons: [],
  },
  "small changes that open, interrupt, replace and delete": {
    programs: [
      edited(
        withInputs("inner", `subnetName: "new"`),
        withOptions("inner", `{ replaceOnChanges: ["subnetName"], deleteBeforeReplace: true }`),
        inLine(
          "web",
          "ingress: [",
          `ingress: [...["::/1", "8000::/1"].map((ipv6CidrBlock) => ({ protocol: "TCP", port: "22", ipv6CidrBlock, action: "ACCEPT" })), `,
        ),
        and(
          `new SecurityGroup("wide", { ingress: ["0.0.0.0/1", "128.0.0.0/1"].map((cidrBlock) => ({ protocol: "TCP", port: "ALL", cidrBlock, action: "ACCEPT" })) });`,
        ),
        inLine("workers", "minReplicas: 2", "minReplicas: 0"),
        withInputs("net", `dnsServers: ["198.51.100.53"]`),
        and(
          `new UserPermission("dev", { clusterId: platform.clusterId, targetUin: "100000000002", roleName: "svc:ro", roleType: "cluster" });`,
        ),
        and(`new Token("more", { registryId: images.registryId, desc: "more" });`),
        without("temp"),
      ),
    ],
    verdict: "needs-approval",
    reasons: [
      "access-opened: SecurityGroup web",
      "access-opened: SecurityGroup wide",
      "access-opened: Token more",
      "access-opened: UserPermission dev",
      "deletes: Token temp",
      "interrupts: NodePool workers",
      "interrupts: Vpc net",
      "replaces: Subnet inner",
    ],
  },
  "one resource alone, which others are in": {
    programs: [edited(...movedOn)],
    options: ["--target", "**::second"],
    verdict: "blocked",
    reasons: ["collides: Vpc second", "replaces: Vpc second"],
  },
  "one resource alone, and those that depend on it": {
    programs: [edited(...movedOn, inLine("team", "false", "true"))],
    options: ["--target", "**::second", "--target-dependents"],
    verdict: "needs-approval",
    reasons: ["replaces: Vpc second"],
  },
  "one resource alone, beside a new one": {
    programs: [edited(withInputs("net", `vpcName: "other"`), and(`new Vpc("third", { cidrBlock: "10.3.0.0/16" });`))],
    options: ["--target", "**::net"],
    verdict: "needs-approval",
    reasons: ["undecided: stack"],
  },
};

let stack: Stack;
let goBack: () => Promise<void>;
beforeAll(async () => {
  stack = await Stack.create({ program });
  await stack.up();
  goBack = await wayBackOf(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

test.for(Object.entries(attacks))("%s", async ([, { programs, options = [], verdict, reasons, leaves = {} }]) => {
  const [last = program, ...before] = programs.toReversed();
  try {
    for (const text of before.toReversed()) {
      stack.write(text);
      await stack.up();
    }
    stack.write(last);
    const report = reviewOfTexts(await stack.previewed(...options));
    const found = new Set(report.reasons.map(({ code, called = "" }) => `${code}: ${called}`));
    const said = report.reasons.map(({ sentence }) => sentence).join("\n");
    expect([report.verdict, [...found].toSorted()], said).toEqual([verdict, reasons]);
    const up = await stack.start("up", "--yes", "--skip-preview", ...options).ended;
    expect(up.code === 0, `${said}\n${up.output}`).toBe(verdict !== "blocked");
    if (verdict === "blocked") return;
    expectAsClaimed(report.changes, up);
    for (const [table, count] of Object.entries(leaves)) expect([table, stack.count(table)]).toEqual([table, count]);
  } finally {
    await goBack();
  }
});
