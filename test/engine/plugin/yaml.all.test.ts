import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { samplesIn } from "../../docs/samples.ts";
import { root } from "../../support/compiler.ts";
import { hostEnvironment, yamlSettings } from "../../support/hosts.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Only the engine has programs in YAML, which need no package and no program of one's own: only the plugin. */

const env = hostEnvironment("yaml");

const program = (team: string, cidrBlock: string, max: number, namespaces: string): string => `${yamlSettings}
variables:
  zones:
    fn::invoke: { function: container-platform:getZones, arguments: {}, return: zones }
  addresses:
    fn::invoke:
      function: container-platform:subnetCidrBlock
      arguments: { ipv6CidrBlock: "\${block.ipv6CidrBlock}", index: 3 }
      return: cidrBlock
  range:
    fn::invoke: { function: container-platform:cidrSubnet, arguments: { range: 10.0.0.0/8, prefix: 16, index: 7 }, return: cidrBlock }
  server:
    fn::invoke:
      function: container-platform:pullServer
      arguments:
        registryName: \${images.registryName}
        publicDomain: \${images.publicDomain}
        publicAccess: \${images.publicAccess}
      return: server
  login:
    fn::invoke:
      function: container-platform:pullSecret
      arguments: { server: "\${server}", username: "\${pull.username}", password: "\${pull.token}" }
      return: dockerConfigJson
resources:
  vpc:
    type: container-platform:Vpc
    properties: { cidrBlock: 10.0.0.0/16, tags: { team: ${team} } }
  block:
    type: container-platform:Ipv6Block
    properties: { vpcId: "\${vpc.vpcId}" }
  nodes:
    type: container-platform:Subnet
    properties: { vpcId: "\${vpc.vpcId}", zone: "\${zones[0].zone}", cidrBlock: ${cidrBlock}, ipv6SubnetCidrBlock: "\${addresses}" }
  images:
    type: container-platform:RegistryInstance
    properties: { registryName: throw-away-yaml, deleteBucket: true, publicAccess: { whitelist: [{ cidrBlock: 203.0.113.0/24 }] } }
  pull:
    type: container-platform:Token
    properties: { registryId: "\${images.registryId}", desc: ci }
  network:
    type: container-platform:Network
    properties: { cidrBlock: "\${range}", zones: 2 }
  prod:
    type: container-platform:Platform
    properties:
      sharedNetwork: \${network}
      nodePools: { apps: { instanceTypes: [SA5.MEDIUM4], max: ${max}, labels: { vpc: "\${vpc.vpcId}" } } }
      registry: { name: throw-away-platform, namespaces: [${namespaces}] }
      permissions: { "100000000003": svc:ro, "100000000002": { role: svc:ns:dev, namespace: team } }
      deletionProtection: false
      tags: { network: "\${network.vpcId}" }
outputs:
  token: \${pull.token}
  login: \${login}
  server: \${server}
  addresses: \${nodes.ipv6SubnetCidrBlock}
  subnetIds: \${network.subnetIds["nodes"]}
  poolId: \${prod.nodePoolIds["apps"]}
  kubeconfig: \${prod.kubeconfig}
  pullSecret: \${prod.pullSecret}
  pullServer: \${prod.pullServer}
`;

function write({ folder }: Stack, text: string): void {
  writeFileSync(join(folder, "Pulumi.yaml"), text);
}

test("a program in YAML, with functions and components, is made, changed, found unchanged and destroyed", async () => {
  await using stack = await Stack.create({ program: "", programs: "language-host", env });
  write(stack, program("a", "10.0.0.0/20", 3, "team"));
  expect((await stack.preview()).output).toMatch(/\+ 22 to create/);
  await stack.up();
  const { id: tokenId } = await stack.resource("Token pull");
  expect(tokenId).toContain("/");
  expect(await stack.resource("Vpc network")).toMatchObject({ inputs: { cidrBlock: "10.7.0.0/16" } });
  const { output } = await stack.ok("stack", "output");
  for (const secret of ["token", "login", "kubeconfig", "pullSecret"]) expect(output).toMatch(new RegExp(`${secret} +\\[secret\\]`));
  expect(output).toMatch(/server +throw-away-yaml\./);
  expect(output).toMatch(/addresses +\S+03::\/64/);
  expect(output).toMatch(/subnetIds +\["subnet-\w+","subnet-\w+"\]/);
  expect(output).toMatch(/poolId +np-\w+/);
  expect(output).toMatch(/pullServer +throw-away-platform-vpc\./);

  write(stack, program("b", "10.0.16.0/20", 5, "team, web"));
  const changed = await stack.up("--diff");
  expect(changed.stdout).toContain('~ team: "a" => "b"');
  expect(changed.stdout).toContain('~ cidrBlock: "10.0.0.0/20" => "10.0.16.0/20"');
  expect(operationsOf(changed)).toMatchObject({
    "NodePool prod-apps": ["update"],
    "Namespace prod-web": ["create"],
    "ServiceAccount prod": ["update"],
    "Vpc vpc": ["update"],
  });
  await stack.preview("--refresh", "--expect-no-changes");
  await stack.destroy();
  // The bucket of the component's registry, with the images in it, stays.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

test("the platform of the page of components goes from TypeScript to YAML unchanged, without a word of it", async () => {
  const samples = samplesIn(readFileSync(join(root, "docs", "guides", "components.md"), "utf8"));
  const textOf = (of: string) => samples.find(({ language }) => language === of)?.text ?? "";
  await using stack = await Stack.create({ program: textOf("ts"), programs: "language-host", env });
  await stack.up();
  const calls = stack.calls().length;
  write(stack, `${yamlSettings}${textOf("yaml")}`);
  expect(operationsOf(await stack.up())).toEqual({});
  await stack.preview("--expect-no-changes");
  expect(stack.writesSince(calls)).toEqual([]);
  expect((await stack.resource("Cluster prod")).urn).toContain("Platform$container-platform:index:Cluster::prod");
});

test.each([[], ["yaml"]])("engine prints a PATH with all that a program needs: %j", (...args) => {
  const { stdout } = spawnSync(process.execPath, [join(root, "scripts", "engine-place.js"), ...args], { encoding: "utf8" });
  const folders = stdout.trimEnd().split(delimiter);
  const programs = ["node", "pulumi", "pulumi-language-nodejs", ...(args.length > 0 ? ["pulumi-language-yaml"] : [])];
  expect(programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))).toEqual([]);
});
