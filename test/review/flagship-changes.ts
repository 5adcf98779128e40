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

/** The flagship before each change, with a version that is not the newest. */
export const base: readonly Edit[] = [
  { file: "cluster.ts", from: "isDualStack: true,", to: 'isDualStack: true,\n  clusterVersion: "1.32.2",' },
  {
    file: "registry.ts",
    from: "deleteBucket: true,",
    to: 'deleteBucket: true,\n  publicAccess: { whitelist: [{ cidrBlock: "198.51.100.7/32", description: "build" }] },',
  },
];

/** The same, once the cluster is protected. */
export const guarded: readonly Edit[] = [
  { file: "cluster.ts", from: "isDualStack: true,", to: "isDualStack: true,\n  deletionProtection: true," },
];

const cidr: readonly Edit[] = [{ file: "settings.ts", from: '"10.0.0.0/16"', to: '"10.128.0.0/16"' }];

/** Changes that are made one at a time to the deployed flagship. */
export const changes = {
  rename: [{ file: "cluster.ts", from: 'new Cluster("platform", {', to: 'new Cluster("platform", {\n  clusterName: "production",' }],
  label: [{ file: "cluster.ts", from: '{ pool: "workers" }', to: '{ pool: "workers", tier: "backend" }' }],
  whitelist: [
    {
      file: "registry.ts",
      from: 'description: "build" }]',
      to: 'description: "build" }, { cidrBlock: "203.0.113.9/32", description: "partner" }]',
    },
  ],
  cidr,
  cidrOverlapping: [{ file: "settings.ts", from: '"10.0.0.0/16"', to: '"10.0.0.0/17"' }],
  versionUp: [{ file: "cluster.ts", from: '"1.32.2"', to: '"1.34.1"' }],
  versionDown: [{ file: "cluster.ts", from: '"1.32.2"', to: '"1.30.0"' }],
  resize: [{ file: "settings.ts", from: "?? 3,", to: "?? 5," }],
  endpointClosed: [
    {
      file: "cluster.ts",
      from: 'export const publicAccess = new ClusterEndpoint("public", {\n  clusterId: cluster.clusterId,\n  isExtranet: true,\n  securityGroup: group.securityGroupId,\n  allowedCidrBlocks: settings.allowedCidrBlocks,\n  nodePoolIds: [workers.nodePoolId],\n});',
      to: "",
    },
    { file: "index.ts", from: "export const publicAddress = publicAccess.address;", to: "" },
    { file: "index.ts", from: "export const kubeconfig = publicAccess.kubeconfig;", to: "" },
    { file: "index.ts", from: "cluster, internalAccess, publicAccess", to: "cluster, internalAccess" },
  ],
  tokenType: [{ file: "registry.ts", from: "desc: `pulled by ${settings.team}`", to: 'tokenType: "temp"' }],
  permissionWidened: [{ file: "registry.ts", from: 'roleName: "svc:ro"', to: 'roleName: "svc:admin"' }],
  registryDeleted: [
    { file: "index.ts", from: 'import { imagePullSecret, images, registry } from "./registry.ts";', to: "" },
    { file: "index.ts", from: "export const registryServer = registry.pullServer({ vpcId: vpc.vpcId });", to: "" },
    { file: "index.ts", from: "export const imagePrefix = images.imagePrefix.vpc;", to: "" },
    { file: "index.ts", from: "export const pullSecret = imagePullSecret;", to: "" },
    {
      file: "index.ts",
      from: 'from "./network.ts";',
      to: 'from "./network.ts";\nimport "./permissions.ts";',
    },
  ],
} as const satisfies Record<string, readonly Edit[]>;

/** Changes that are made one at a time while the cluster is protected. */
export const guardedChanges = {
  protectionOff: [{ file: "cluster.ts", from: "deletionProtection: true", to: "deletionProtection: false" }],
  cidrWhileProtected: cidr,
} as const satisfies Record<string, readonly Edit[]>;

export type ChangeName = keyof typeof changes | keyof typeof guardedChanges;

/** Further changes, whose previews are not recorded. */
export const furtherChanges = {
  fewerNodes: [{ file: "settings.ts", from: "?? 3,", to: "?? 1," }],
  protectionOn: guarded,
  described: [{ file: "cluster.ts", from: "isDualStack: true,", to: 'isDualStack: true,\n  clusterDescription: "of the shop",' }],
  published: [{ file: "registry.ts", from: "isPublic: false", to: "isPublic: true" }],
  fewerKept: [{ file: "registry.ts", from: "value: 20", to: "value: 5" }],
  groupOpened: [{ file: "settings.ts", from: '["203.0.113.0/24"]', to: '["203.0.113.0/24", "198.51.100.0/25"]' }],
  otherMachines: [{ file: "settings.ts", from: '"SA5.MEDIUM4"', to: '"SA5.LARGE8"' }],
  registryRenamed: [{ file: "settings.ts", from: '"platform-images"', to: '"platform-pictures"' }],
  auditorLeft: [{ file: "settings.ts", from: '["100000000003"]', to: "[]" }],
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
