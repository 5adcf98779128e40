import { test } from "vitest";
import { Stack } from "../support/stack.ts";

const program = (timeouts = "") => `
import { Cluster, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const subnet = new Subnet("nodes", { vpcId: vpc.vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" });
export const clusterId = new Cluster("platform", { vpcId: vpc.vpcId, subnetId: subnet.subnetId, clusterCidr: "172.16.0.0/16" }, { ${timeouts} }).clusterId;
`;
test("abnormal", { timeout: 100_000 }, async () => {
  await using stack = await Stack.create({ program: program(), pace: "instant" });
  stack.faults.add({ thing: "cluster", end: "Abnormal", reason: "no capacity for a control plane" });
  console.log((await stack.failingUp()).output);
  console.log((await stack.resources()).filter(r => r.initErrors));
  console.log((await stack.up()).output);
  console.log(stack.calls().map(({ action, code }) => action + code).join(" "), stack.leftovers());
});
test("time-out", { timeout: 100_000 }, async () => {
  await using stack = await Stack.create({ program: program(`customTimeouts: { create: "2s" }`), pace: "realistic" });
  console.log((await stack.failingUp()).output);
  console.log((await stack.resources()).filter(r => r.initErrors));
  stack.world.advance(600_000);
  console.log((await stack.up()).output);
  console.log(stack.calls().map(({ action, code }) => action + code).join(" "), stack.leftovers());
  stack.world.prepare("UPDATE clock SET ahead = ahead").run();
});
test("interrupt", { timeout: 100_000 }, async () => {
  await using stack = await Stack.create({ program: program(), pace: "realistic" });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => stack.calls().some(({ action }) => action === "CreateCluster"));
  console.log(run.providers());
  const t = Date.now();
  run.interrupt();
  console.log((await run.ended).output, Date.now() - t, (await run.ended).code);
  console.log((await stack.resources()).filter(r => r.initErrors));
  stack.world.advance(600_000);
  console.log((await stack.up()).output);
  console.log(stack.calls().map(({ action, code }) => action + code).join(" "), stack.leftovers());
});
