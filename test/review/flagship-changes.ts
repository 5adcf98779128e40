import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { natively } from "../support/native-classes.ts";
import { testedShell } from "../support/shell.ts";
import type { Stack } from "../support/stack.ts";

/** A change to the flagship's program: texts of its files, and their replacements. */
export interface Edit {
  readonly file: "cluster.ts" | "index.ts" | "network.ts" | "registry.ts" | "settings.ts";
  readonly from: string;
  readonly to: string;
}

const edit = (file: Edit["file"], from: string, to: string): Edit => ({ file, from, to });

/** The flagship before each change, with a version that is not the newest. */
export const base: readonly Edit[] = [
  edit("cluster.ts", "isDualStack: true,", 'isDualStack: true,\n  clusterVersion: "1.32.2",'),
  edit(
    "registry.ts",
    "deleteBucket: true,",
    'deleteBucket: true,\n  publicAccess: { whitelist: [{ cidrBlock: "198.51.100.7/32", description: "build" }] },',
  ),
];

/** The same, once the cluster is protected. */
export const guarded: readonly Edit[] = [edit("cluster.ts", "isDualStack: true,", "isDualStack: true,\n  deletionProtection: true,")];

const cidr: readonly Edit[] = [edit("settings.ts", '"10.0.0.0/16"', '"10.128.0.0/16"')];

/** Changes that are made one at a time to the deployed flagship. */
export const changes = {
  rename: [edit("cluster.ts", 'new Cluster("platform", {', 'new Cluster("platform", {\n  clusterName: "production",')],
  label: [edit("cluster.ts", '{ pool: "workers" }', '{ pool: "workers", tier: "backend" }')],
  whitelist: [
    edit("registry.ts", 'description: "build" }]', 'description: "build" }, { cidrBlock: "203.0.113.9/32", description: "partner" }]'),
  ],
  cidr,
  cidrOverlapping: [edit("settings.ts", '"10.0.0.0/16"', '"10.0.0.0/17"')],
  versionUp: [edit("cluster.ts", '"1.32.2"', '"1.34.1"')],
  versionDown: [edit("cluster.ts", '"1.32.2"', '"1.30.0"')],
  resize: [edit("settings.ts", "?? 3,", "?? 5,")],
  endpointClosed: [
    edit(
      "cluster.ts",
      'export const publicAccess = new ClusterEndpoint("public", {\n  clusterId: cluster.clusterId,\n  isExtranet: true,\n  securityGroup: group.securityGroupId,\n  allowedCidrBlocks: settings.allowedCidrBlocks,\n  nodePoolIds: [workers.nodePoolId],\n});',
      "",
    ),
    edit("index.ts", "export const publicAddress = publicAccess.address;", ""),
    edit("index.ts", "export const kubeconfig = publicAccess.kubeconfig;", ""),
    edit("index.ts", "cluster, internalAccess, publicAccess", "cluster, internalAccess"),
  ],
  tokenType: [edit("registry.ts", "desc: `pulled by ${settings.team}`", 'tokenType: "temp"')],
  permissionWidened: [edit("registry.ts", 'roleName: "svc:ro"', 'roleName: "svc:admin"')],
  registryDeleted: [
    edit("index.ts", 'import { imagePullSecret, images, registry } from "./registry.ts";', ""),
    edit("index.ts", "export const registryServer = registry.pullServer({ vpcId: vpc.vpcId });", ""),
    edit("index.ts", "export const imagePrefix = images.imagePrefix.vpc;", ""),
    edit("index.ts", "export const pullSecret = imagePullSecret;", ""),
    edit("index.ts", 'from "./network.ts";', 'from "./network.ts";\nimport "./permissions.ts";'),
  ],
} as const satisfies Record<string, readonly Edit[]>;

/** Changes that are made one at a time while the cluster is protected. */
export const guardedChanges = {
  protectionOff: [edit("cluster.ts", "deletionProtection: true", "deletionProtection: false")],
  cidrWhileProtected: cidr,
} as const satisfies Record<string, readonly Edit[]>;

export type ChangeName = keyof typeof changes | keyof typeof guardedChanges;

/** Further changes, whose previews are not recorded. */
export const furtherChanges = {
  fewerNodes: [edit("settings.ts", "?? 3,", "?? 1,")],
  protectionOn: guarded,
  described: [edit("cluster.ts", "isDualStack: true,", 'isDualStack: true,\n  clusterDescription: "of the shop",')],
  published: [edit("registry.ts", "isPublic: false", "isPublic: true")],
  fewerKept: [edit("registry.ts", "value: 20", "value: 5")],
  groupOpened: [edit("settings.ts", '["203.0.113.0/24"]', '["203.0.113.0/24", "198.51.100.0/25"]')],
  otherMachines: [edit("settings.ts", '"SA5.MEDIUM4"', '"SA5.LARGE8"')],
  registryRenamed: [edit("settings.ts", '"platform-images"', '"platform-pictures"')],
  auditorLeft: [edit("settings.ts", '["100000000003"]', "[]")],
} as const satisfies Record<string, readonly Edit[]>;

/** Writes the example's files, with some texts replaced. */
export function writeFlagship(stack: Stack, edits: readonly Edit[]): void {
  const files = new Map<string, string>();
  for (const file of ["cluster.ts", "index.ts", "network.ts", "registry.ts", "settings.ts"])
    files.set(file, readFileSync(join(import.meta.dirname, "../../examples/platform", file), "utf8"));
  // The permissions stay, without the registry.
  files.set("permissions.ts", withoutRegistry(files.get("registry.ts") ?? ""));
  for (const { file, from, to } of edits) {
    const text = files.get(file) ?? "";
    if (!text.includes(from)) throw new Error(`${file} of the example has no ${from}`);
    files.set(
      file,
      text.replace(from, () => to),
    );
  }
  const ofShell = (text: string) => (testedShell === "native" ? natively(text, "../native.ts") : text);
  for (const [file, text] of files) writeFileSync(join(stack.folder, "platform", file), ofShell(text));
}

function withoutRegistry(text: string): string {
  return text
    .replace(/\/\*\* The team's own registry[\s\S]*(?=\/\*\* The team works in)/, "")
    .replace("Namespace, pullSecret, RegistryInstance, Token, UserPermission", "UserPermission")
    .replace(/^import .*network\.ts";\n/m, "");
}
