/** Only the real engine, and its host of policy packs, start our pack and show what it finds. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import analyzer from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import { expect, test } from "vitest";
import { scratch } from "../../../sdk/src/scratch.fixture.ts";
import { Stack } from "../../support/stack.ts";

const folder = join(dirname(dirname(dirname(import.meta.dirname))), "provider", "policy-pack");
const pack = join(folder, "start");

const program = (port: string) => `
import { SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/28" });
const admins = { protocol: "TCP", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
new SecurityGroup("bastion", { groupDescription: "their way in", ingress: [{ ...admins, port: ${port} }] });
`;

test("the rules work as a policy pack: one that blocks stops a preview, and one that cannot be decided yet is shown", async () => {
  await using stack = await Stack.create({ program: program('"22"') });
  const settings = (text: string) => writeFileSync(join(stack.folder, "container-platform.policy.yaml"), text);

  settings("rules: { CP-NET-011: off, CP-NET-023: require-approval }\n");
  const refused = await stack.fails("preview", "--policy-pack", pack);
  expect(refused.output).toContain("[mandatory] [severity: high]  CP-NET-002");
  expect(refused.output).toContain("ingress[0] lets everyone reach SSH, port 22.");
  expect(refused.output).toContain("[advisory] [severity: medium]  CP-NET-023");
  expect(refused.output).not.toContain("CP-NET-011");

  // With `main`, the engine starts packs in the program's folder, and the settings are in the project's.
  const project = join(stack.folder, "Pulumi.yaml");
  writeFileSync(project, readFileSync(project, "utf8").replace('"main":"index.ts"', '"main":"program/"'));
  mkdirSync(join(stack.folder, "program"));
  stack.write(program('vpc.vpcId.apply(() => "443")'));
  const open = await stack.preview("--policy-pack", join(stack.folder, "node_modules/@container-platform/pulumi/policy-pack/start"));
  expect(open.output).toMatch(/\[advisory\] \[severity: high\] {2}CP-NET-002 .*\n\s+can't run policy .*\.ingress\.0\.port can't be known/);
  expect(open.output).not.toContain("CP-NET-011");

  settings("rules:\n  CP-NET-2: block\n");
  const broken = await stack.fails("preview", "--policy-pack", pack);
  expect(broken.output).toContain(
    "container-platform.policy.yaml:2: rules.CP-NET-2: there is no rule CP-NET-2; maybe you meant CP-NET-002",
  );
});

test("the folder is a policy pack: Pulumi's language host starts it with the settings of where pulumi was started", async () => {
  expect(readFileSync(join(folder, "PulumiPolicy.yaml"), "utf8")).toContain("runtime: nodejs");
  const place = scratch();
  writeFileSync(join(place, "container-platform.policy.yaml"), "rules: { CP-NET-002: advise }\n");
  // As the language host does: https://github.com/pulumi/pulumi, sdk/nodejs/cmd/pulumi-language-nodejs, RunPlugin.
  const runner = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [runner, "127.0.0.1:1", folder], {
    cwd: folder,
    env: { ...process.env, PWD: place },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const port = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const client = new analyzer.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const info = await new Promise<ReturnType<analyzer.IAnalyzerService["getAnalyzerInfo"]["responseDeserialize"]>>((resolve, reject) =>
      client.getAnalyzerInfo(new emptyMessages.Empty(), (error, found) => (error ? reject(error) : resolve(found))),
    );
    client.close();
    const levels = Object.fromEntries(info.getPoliciesList().map((one) => [one.getName(), one.getEnforcementlevel()]));
    expect([info.getName(), levels["CP-NET-001"], levels["CP-NET-002"]]).toEqual(["container-platform", 1, 0]);
  } finally {
    child.kill();
    await once(child, "close");
  }
});
