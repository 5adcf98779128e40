import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { samplesIn } from "../../docs/samples.ts";
import { hostEnvironment } from "../../support/hosts.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** Programs in YAML, which need no package and no program of one's own: only the plugin. */

const root = new URL("../../../", import.meta.url).pathname;
const plugin = join(root, "plugin");
const env = hostEnvironment("yaml");

const program = (team: string, cidrBlock: string): string => `
name: throw-away
runtime: yaml
plugins:
  providers:
    - name: container-platform
      path: ${plugin}
config:
  container-platform:endpoint: { value: local }
  container-platform:region: { value: eu-frankfurt }
variables:
  zones:
    fn::invoke: { function: container-platform:getZones, arguments: {}, return: zones }
  addresses:
    fn::invoke:
      function: container-platform:subnetCidrBlock
      arguments: { ipv6CidrBlock: "\${block.ipv6CidrBlock}", index: 3 }
      return: cidrBlock
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
  network:
    type: container-platform:Vpc
    properties: { cidrBlock: 10.0.0.0/16, tags: { team: ${team} } }
  block:
    type: container-platform:Ipv6Block
    properties: { vpcId: "\${network.vpcId}" }
  nodes:
    type: container-platform:Subnet
    properties: { vpcId: "\${network.vpcId}", zone: "\${zones[0].zone}", cidrBlock: ${cidrBlock}, ipv6SubnetCidrBlock: "\${addresses}" }
  cluster:
    type: container-platform:Cluster
    properties: { vpcId: "\${network.vpcId}", subnetId: "\${nodes.subnetId}", clusterCidr: 172.16.0.0/16 }
  images:
    type: container-platform:RegistryInstance
    properties: { registryName: throw-away-yaml, deleteBucket: true, publicAccess: { whitelist: [{ cidrBlock: 203.0.113.0/24 }] } }
  team:
    type: container-platform:Namespace
    properties: { registryId: "\${images.registryId}", namespaceName: team, isPublic: false }
  web:
    type: container-platform:Repository
    properties: { registryId: "\${images.registryId}", namespaceName: "\${team.namespaceName}", repositoryName: web }
  pull:
    type: container-platform:Token
    properties: { registryId: "\${images.registryId}", desc: ci }
outputs:
  clusterId: \${cluster.clusterId}
  version: \${cluster.clusterVersion}
  token: \${pull.token}
  login: \${login}
  server: \${server}
  addresses: \${nodes.ipv6SubnetCidrBlock}
`;

test("a program in YAML is made, found unchanged, changed, refreshed and destroyed", async () => {
  await using stack = await Stack.create({ program: "", programs: "language-host", env });
  const write = (team: string, cidrBlock: string) => {
    writeFileSync(join(stack.folder, "Pulumi.yaml"), program(team, cidrBlock));
  };
  write("a", "10.0.0.0/20");
  const preview = await stack.preview();
  expect(preview.output).toContain("9 to create");
  await stack.up();
  await stack.preview("--expect-no-changes");
  const { id: tokenId } = await stack.resource("Token pull");
  expect(tokenId).toContain("/");
  const { output } = await stack.ok("stack", "output");
  expect(output).toMatch(/token +\[secret\]/);
  expect(output).toMatch(/login +\[secret\]/);
  expect(output).toMatch(/server +throw-away-yaml\./);
  expect(output).toMatch(/addresses +\S+03::\/64/);

  write("b", "10.0.16.0/20");
  const { stdout } = await stack.preview("--diff");
  expect(stdout).toContain('~ team: "a" => "b"');
  expect(stdout).toContain('~ cidrBlock: "10.0.0.0/20" => "10.0.16.0/20"');
  write("b", "10.0.0.0/20");
  await stack.up();
  await stack.refresh("--expect-no-changes");
  await stack.preview("--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

const platform = (max: number) => `
name: throw-away
runtime: yaml
plugins:
  providers:
    - name: container-platform
      path: ${plugin}
config:
  container-platform:endpoint: { value: local }
  container-platform:region: { value: eu-frankfurt }
  team: { type: string, default: blue }
variables:
  range:
    fn::invoke: { function: container-platform:carve, arguments: { range: 10.0.0.0/8, prefix: 16, index: 7 }, return: cidrBlock }
resources:
  network:
    type: container-platform:Network
    properties: { cidrBlock: "\${range}", zones: 2 }
  prod:
    type: container-platform:Platform
    properties:
      sharedNetwork: \${network}
      nodePools: { apps: { instanceTypes: [SA5.MEDIUM4], max: ${max}, labels: { team: "\${team}" } } }
      registry: { name: throw-away-yaml, namespaces: [team] }
      permissions: { "100000000003": svc:ro, "100000000002": { role: svc:ns:dev, namespace: team } }
      deletionProtection: false
      tags: { network: "\${network.vpcId}" }
outputs:
  subnetIds: \${network.subnetIds["nodes"]}
  poolId: \${prod.nodePoolIds["apps"]}
  kubeconfig: \${prod.kubeconfig}
  server: \${prod.pullServer}
`;

test("components in YAML make their children, of values from functions and of a network that they share", async () => {
  await using stack = await Stack.create({ program: "", programs: "language-host", env });
  const write = (text: string) => {
    writeFileSync(join(stack.folder, "Pulumi.yaml"), text);
  };
  write(platform(3));
  expect((await stack.preview()).output).toMatch(/\+ 17 to create/);
  await stack.up();
  await stack.preview("--expect-no-changes");
  const { output } = await stack.ok("stack", "output");
  expect(output).toMatch(/subnetIds +\["subnet-\w+","subnet-\w+"\]/);
  expect(output).toMatch(/poolId +np-\w+/);
  expect(output).toMatch(/kubeconfig +\[secret\]/);
  expect(output).toMatch(/server +throw-away-yaml-vpc\./);
  expect(await stack.resource("Vpc network")).toMatchObject({ inputs: { cidrBlock: "10.7.0.0/16" } });

  write(platform(5));
  expect(operationsOf(await stack.up())).toEqual({ "NodePool prod-apps": ["update"] });
  await stack.destroy();
  // The registry's bucket, with the images in it, stays.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

if (isLong)
  test("the platform of the page of components goes from TypeScript to YAML unchanged, without a word of it", async () => {
    const samples = samplesIn(readFileSync(join(root, "docs", "components.md"), "utf8"));
    const textOf = (of: string) => samples.find(({ language }) => language === of)?.text ?? "";
    await using stack = await Stack.create({ program: textOf("ts"), programs: "language-host", env });
    await stack.up();
    const calls = stack.calls().length;
    const [settings = ""] = platform(3).split("  team:");
    writeFileSync(join(stack.folder, "Pulumi.yaml"), `${settings}${textOf("yaml")}`);
    expect(operationsOf(await stack.preview())).toEqual({});
    expect(operationsOf(await stack.up())).toEqual({});
    await stack.preview("--expect-no-changes");
    expect(stack.writesSince(calls)).toEqual([]);
    expect((await stack.resource("Cluster prod")).urn).toContain("Platform$container-platform:index:Cluster::prod");
  });
