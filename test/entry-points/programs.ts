import { type Manager, templateWants, type Wanted } from "./install.ts";

/** A kind of program that Pulumi's users write. */
export interface Kind {
  readonly name: string;
  readonly manager: Manager;
  readonly wanted: Wanted;
  readonly files: Readonly<Record<string, string>>;
  /** `runtime` of `Pulumi.yaml`. */
  readonly runtime: unknown;
  /** Whether `npm run test:all` has it, and not `npm run test:long` alone. */
  readonly isCommon?: true;
  /** Complaints of the compiler and warnings of Node that there are in this kind of program, whatever it imports. */
  readonly excused?: RegExp;
}

const inTypeScript = `
import * as pulumi from "@pulumi/pulumi";
import { getZones, SecurityGroup, Vpc } from "@container-platform/pulumi";
import { cidrSubnet } from "@container-platform/sdk";
import { describeVpcs } from "@container-platform/sdk/vpc";

const vpc = new Vpc("entry-point", { cidrBlock: cidrSubnet("10.0.0.0/8", 16, 0) });
new SecurityGroup("entry-point", { egress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }] });

export const vpcId: pulumi.Output<string> = vpc.vpcId;
export const filledIn = vpc.vpcName;
export const zones = getZones().then((all) => all.length);
export const action = describeVpcs.action;
`;

const required = `
"use strict";
const pulumi = require("@pulumi/pulumi");
const { getZones, SecurityGroup, Vpc } = require("@container-platform/pulumi");
const { cidrSubnet } = require("@container-platform/sdk");
const { describeVpcs } = require("@container-platform/sdk/vpc");

const vpc = new Vpc("entry-point", { cidrBlock: cidrSubnet("10.0.0.0/8", 16, 0) });
new SecurityGroup("entry-point", { egress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }] });

exports.vpcId = pulumi.output(vpc.vpcId);
exports.filledIn = vpc.vpcName;
exports.zones = getZones().then((all) => all.length);
exports.action = describeVpcs.action;
`;

const inJavaScript = inTypeScript.replace(": pulumi.Output<string>", "").replace(/^import \* as pulumi.*$/m, "");

/** The options of Pulumi's default TypeScript template, of which later ones win. */
function tsconfig(options: Readonly<Record<string, unknown>>): string {
  const template = {
    strict: true,
    outDir: "bin",
    target: "es2020",
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  };
  return JSON.stringify({ compilerOptions: { ...template, ...options }, files: ["index.ts"] });
}

interface Variant {
  readonly text?: string;
  readonly main?: string;
  readonly type?: "module";
  readonly options?: Readonly<Record<string, unknown>>;
}

function compiled({ text = inTypeScript, main = "index.ts", type, options }: Variant): Kind["files"] {
  return {
    "package.json": JSON.stringify({ name: "program", main, type }),
    "index.ts": text,
    ...(options && { "tsconfig.json": tsconfig(options) }),
  };
}

const byNpm = { manager: "npm", wanted: templateWants, runtime: "nodejs" } as const;
const asItIs = { name: "nodejs", options: { typescript: false } };
const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
const commonjs = { module: "commonjs", moduleResolution: "node" };

/** ts-node 10 itself uses what Node warns of. */
const oldStats = /DEP0180|--trace-deprecation/;

function without(wanted: Wanted, name: string): Wanted {
  return { ...wanted, devDependencies: Object.fromEntries(Object.entries(wanted.devDependencies).filter(([key]) => key !== name)) };
}

function besides(wanted: Wanted, more: Readonly<Record<string, string>>): Wanted {
  return { ...wanted, devDependencies: { ...wanted.devDependencies, ...more } };
}

export const kinds: readonly Kind[] = [
  { name: "the default template", ...byNpm, isCommon: true, files: compiled({ options: nodenext }) },
  {
    name: "the default template as it was until 2026",
    ...byNpm,
    isCommon: true,
    files: compiled({ options: commonjs }),
  },
  { name: "node16, CommonJS", ...byNpm, files: compiled({ options: { module: "node16", moduleResolution: "node16" } }) },
  {
    name: "nodenext, ES modules, ts-node 10",
    ...byNpm,
    wanted: besides(templateWants, { "ts-node": "^10.9.2" }),
    files: compiled({ type: "module", options: nodenext }),
    excused: oldStats,
  },
  { name: "preserve and bundler", ...byNpm, files: compiled({ options: { module: "preserve", moduleResolution: "bundler" } }) },
  { name: "TypeScript 6", ...byNpm, wanted: besides(templateWants, { typescript: "^6.0.0" }), files: compiled({ options: nodenext }) },
  {
    name: "the oldest Pulumi that is supported",
    ...byNpm,
    wanted: { ...templateWants, dependencies: { "@pulumi/pulumi": "3.216.0" } },
    files: compiled({ options: nodenext }),
  },
  {
    name: "no TypeScript but that of Pulumi",
    ...byNpm,
    wanted: without(templateWants, "typescript"),
    files: compiled({ options: commonjs }),
  },
  {
    name: "JavaScript that requires",
    ...byNpm,
    isCommon: true,
    runtime: asItIs,
    files: { "package.json": '{ "main": "index.js" }', "index.js": required },
  },
  {
    name: "JavaScript that imports",
    ...byNpm,
    isCommon: true,
    runtime: asItIs,
    files: { "package.json": '{ "main": "index.js", "type": "module" }', "index.js": inJavaScript },
  },
  { name: "types stripped by Node, ES modules", ...byNpm, isCommon: true, runtime: asItIs, files: compiled({ type: "module" }) },
  { name: "types stripped by Node, no type", ...byNpm, isCommon: true, runtime: asItIs, files: compiled({}) },
  { name: "the default template with pnpm", ...byNpm, manager: "pnpm", files: compiled({ options: nodenext }) },
  { name: "the default template with Yarn", ...byNpm, manager: "yarn", files: compiled({ options: nodenext }) },
  { name: "the default template with Bun", ...byNpm, manager: "bun", files: compiled({ options: nodenext }) },
];
