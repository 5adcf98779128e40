import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { root } from "./compiler.ts";
import { hostEnvironment } from "./hosts.ts";
import type { Stack } from "./stack.ts";

/** How the platform of the examples is written in a language. */
export interface Example {
  /** The environment of its engine. */
  readonly env: NodeJS.ProcessEnv;
  readonly settings: string;
  readonly into: (stack: Stack) => void;
  /** Puts a program of components in its place, with outputs `kubeconfig` and `poolId`. */
  readonly components: (stack: Stack) => void;
}

const examples = join(root, "examples");
const sdks = join(root, "sdks");
const plugins = { providers: [{ name: "container-platform", path: join(root, "plugin") }] };
const place = { "container-platform:endpoint": { value: "local" }, "container-platform:region": { value: "eu-frankfurt" } };

const componentsInYaml = `
resources:
  main:
    type: container-platform:Network
    properties: { zones: 2 }
  prod:
    type: container-platform:Platform
    properties:
      sharedNetwork: \${main}
      nodePools: { apps: { instanceTypes: [SA5.MEDIUM4], labels: { vpc: "\${main.vpcId}" } } }
      deletionProtection: false
outputs:
  kubeconfig: \${prod.kubeconfig}
  poolId: \${prod.nodePoolIds["apps"]}
`;

const componentsInPython = `
import pulumi
import pulumi_container_platform as cp

network = cp.Network("main", zones=2)
pool = cp.PlatformPoolArgs(instance_types=["SA5.MEDIUM4"], labels={"vpc": network.vpc_id})
platform = cp.Platform("prod", shared_network=network, node_pools={"apps": pool}, deletion_protection=False)
pulumi.export("kubeconfig", platform.kubeconfig)
pulumi.export("poolId", platform.node_pool_ids["apps"])
`;

const componentsInGo = `
package main

import (
	cp "example.com/pulumi-container-platform/sdk/go/containerplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		network, err := cp.NewNetwork(ctx, "main", &cp.NetworkArgs{Zones: 2})
		if err != nil {
			return err
		}
		platform, err := cp.NewPlatform(ctx, "prod", &cp.PlatformArgs{
			SharedNetwork: network,
			NodePools: map[string]cp.PlatformPoolArgs{"apps": {
				InstanceTypes: []pulumi.StringInput{pulumi.String("SA5.MEDIUM4")},
				Labels:        pulumi.StringMap{"vpc": network.VpcId},
			}},
			DeletionProtection: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		ctx.Export("kubeconfig", platform.Kubeconfig)
		ctx.Export("poolId", platform.NodePoolIds.MapIndex(pulumi.String("apps")))
		return nil
	})
}
`;

const componentsInTypeScript = `
import { Network, Platform } from "@container-platform/native";
const network = new Network("main", { zones: 2 });
const platform = new Platform("prod", {
  sharedNetwork: network,
  nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"], labels: { vpc: network.vpcId } } },
  deletionProtection: false,
});
export const { kubeconfig } = platform;
export const poolId = platform.nodePoolIds.apps;
`;

/** Its program is its project, which needs another name here, and leads to the plugin from another folder. */
export function yamlExample(): Example {
  return {
    env: hostEnvironment("yaml"),
    settings: "throw-away",
    into: ({ folder }) => {
      const text = readFileSync(join(examples, "yaml", "Pulumi.yaml"), "utf8");
      writeFileSync(
        join(folder, "Pulumi.yaml"),
        text.replace("name: platform-yaml", "name: throw-away").replace("../../plugin", join(root, "plugin")),
      );
    },
    components: ({ folder }) => {
      const settings = JSON.stringify({ name: "throw-away", runtime: "yaml", plugins, config: place });
      writeFileSync(join(folder, "Pulumi.yaml"), `${stringify(parse(settings))}${componentsInYaml}`);
    },
  };
}

export function pythonExample(scratch: string): Example {
  const { env, into } = pythonLanguage(scratch);
  const program = readFileSync(join(examples, "python", "__main__.py"), "utf8");
  const components = (stack: Stack) => into(stack, componentsInPython);
  return { env, settings: "platform", into: (stack) => into(stack, program), components };
}

export function goExample(): Example {
  const { env, into } = goLanguage();
  const program = readFileSync(join(examples, "go", "main.go"), "utf8");
  const components = (stack: Stack) => into(stack, componentsInGo);
  return { env, settings: "platform", into: (stack) => into(stack, program), components };
}

/** How programs of one file are run in a language, with its generated SDK. */
export interface Language {
  /** The environment of the engine. */
  readonly env: NodeJS.ProcessEnv;
  readonly into: (stack: Stack, program: string) => void;
}

/** @param scratch a folder for what is installed */
export function pythonLanguage(scratch: string): Language {
  generate("python");
  const venv = join(scratch, "venv");
  run("python3", ["-m", "venv", venv]);
  // The SDK is built in its folder, which stays as it was generated.
  cpSync(join(sdks, "python"), join(scratch, "python"), { recursive: true });
  run(join(venv, "bin", "pip"), ["install", "--quiet", join(scratch, "python")]);
  return {
    env: { ...hostEnvironment("python", join(venv, "bin")), VIRTUAL_ENV: venv },
    into: (stack, program) => {
      writeFileSync(join(stack.folder, "__main__.py"), program);
      writeProject(stack, "python");
    },
  };
}

export function goLanguage(): Language {
  generate("go");
  return {
    env: { ...hostEnvironment("go"), ...goVariables() },
    into: (stack, program) => {
      writeFileSync(join(stack.folder, "main.go"), program);
      writeGoModule(stack.folder);
      writeProject(stack, "go");
    },
  };
}

/** For Go in another home than the machine's. */
export function goVariables(): NodeJS.ProcessEnv {
  const variables = ["GOPATH", "GOCACHE", "GOMODCACHE"];
  const values = run("go", ["env", ...variables])
    .trim()
    .split("\n");
  return { GOFLAGS: "-buildvcs=false", CGO_ENABLED: "0", ...Object.fromEntries(variables.map((name, at) => [name, values[at]])) };
}

/** Makes a folder a Go module with what the example needs, and with the generated SDK. */
export function writeGoModule(folder: string): void {
  copyFileSync(join(examples, "go", "go.sum"), join(folder, "go.sum"));
  const module = readFileSync(join(examples, "go", "go.mod"), "utf8");
  writeFileSync(join(folder, "go.mod"), module.replace("../../sdks", sdks));
}

/** What the generated classes have otherwise: functions of the schema in place of methods. */
const edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  "network.ts": [
    ["import { cidrSubnet,", "import { cidrSubnetOutput, subnetCidrBlockOutput,"],
    ["cidrSubnet(settings.cidrBlock, 20, index)", "cidrSubnetOutput({ range: settings.cidrBlock, prefix: 20, index }).cidrBlock"],
    ["ipv6.subnetCidrBlock(index)", "subnetCidrBlockOutput({ ipv6CidrBlock: ipv6.ipv6CidrBlock, index }).cidrBlock"],
  ],
  "registry.ts": [
    ["Namespace, pullSecret,", "Namespace, pullSecretOutput, pullServerOutput,"],
    [
      "pullSecret({ registry, token: pull, via: { vpcId: vpc.vpcId } })",
      "pullSecretOutput({ server: pullServer, username: pull.username, password: pull.token }).dockerConfigJson",
    ],
    [
      "/** The content of a secret",
      "const { registryName, internalDomains } = registry;\nexport const pullServer = pullServerOutput({ registryName, vpcId: vpc.vpcId, internalDomains }).server;\n/** The content of a secret",
    ],
  ],
  "index.ts": [
    ["images, registry }", "images, pullServer }"],
    ["registry.pullServer({ vpcId: vpc.vpcId })", "pullServer"],
  ],
  "cluster.ts": [],
  "settings.ts": [],
};

/** The flagship, with the generated classes in place of the dynamic ones. */
export function typescriptExample(): Example {
  const { env, into } = typescriptLanguage();
  return {
    env,
    settings: "platform",
    into: (stack) => {
      into(stack, "");
      for (const [file, changes] of Object.entries(edits)) {
        const text = changes.reduce((text, [from, to]) => replaced(text, from, to), readFileSync(join(examples, "platform", file), "utf8"));
        writeFileSync(join(stack.folder, "platform", file), text.replace("@container-platform/pulumi", "@container-platform/native"));
      }
    },
    components: (stack) => into(stack, componentsInTypeScript),
  };
}

export function typescriptLanguage(): Language {
  generate("nodejs");
  const sdk = join(sdks, "nodejs");
  // Its settings are for an older compiler.
  run(join(root, "node_modules", ".bin", "tsc"), ["-p", sdk, "--ignoreDeprecations", "6.0", "--types", "node"]);
  copyFileSync(join(sdk, "package.json"), join(sdk, "bin", "package.json"));
  return {
    env: {},
    into: (stack, program) => {
      const folder = join(stack.folder, "platform");
      linkTypescriptSdk(folder);
      writeFileSync(join(folder, "index.ts"), program);
      writeProject(stack, { name: "nodejs", options: { typescript: false } }, { main: "platform/index.ts" });
    },
  };
}

/** Puts the compiled SDK where the programs of a folder find it. */
export function linkTypescriptSdk(folder: string): void {
  const scope = join(folder, "node_modules", "@container-platform");
  mkdirSync(scope, { recursive: true });
  if (!existsSync(join(scope, "native"))) symlinkSync(join(sdks, "nodejs", "bin"), join(scope, "native"));
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the example does not have ${from}`);
  return text.replace(from, to);
}

function writeProject({ folder }: Stack, runtime: unknown, more: object = {}): void {
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "throw-away", runtime, ...more, plugins, config: place }));
}

function generate(language: string): void {
  run(process.execPath, [join(root, "scripts", "sdks.js"), language]);
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
