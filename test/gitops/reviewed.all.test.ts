import { createSubnet, deleteSubnet, describeSubnets, describeVpcs } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { deployedRepository } from "./actions.ts";
import { callers } from "./forge.ts";

/** Only what was reviewed is applied: secrets, the main branch and the platform change between review and apply, with the real engine. */

const program = (more = "") => `
import { readFileSync } from "node:fs";
import { Subnet, Vpc } from "@container-platform/pulumi";
import { tags } from "./tags.ts";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16", tags: { ...tags, "db-password": readFileSync("vault", "utf8") } });
${more}
`;
const subnet = (name: string, range: string) =>
  `new Subnet("${name}", { subnetName: "${name}", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });`;

const { forge, repository, actions } = await deployedRepository(program(), "", (fresh) => {
  fresh.write("tags.ts", "export const tags = {};\n");
  fresh.write("vault", "first password");
  fresh.commit("Tags");
});

const differs = { step: "Only what was reviewed", code: 1 };
/** Previews and judges the pull request, and somebody approves it. */
async function review(): Promise<void> {
  expect(await actions.preview()).toMatchObject({ code: 0 });
  const { output } = await actions.gate();
  for (const [label] of output.matchAll(/(?:approved|pipeline):[0-9a-f]+/g)) forge.label("bob", label);
  expect(await actions.decide()).toMatchObject({ code: 0 });
}

test("a secret that has changed since stops it", async () => {
  actions.open("secret");
  repository.write("vault", "second password");
  actions.change("Another tag", () => repository.write("tags.ts", 'export const tags = { team: "shop" };\n'));
  await review();
  actions.merge();
  repository.write("vault", "a password that nobody has seen in the review");
  const applied = await actions.apply();
  expect(applied).toMatchObject(differs);
  for (const one of ["second password", "nobody has seen"]) expect(applied.output).not.toContain(one);
  repository.write("vault", "second password");
  expect(await actions.apply()).toMatchObject({ step: "Apply just that", code: 0 });
});

test("a main branch that has moved since stops it, in the merge queue and after the merge", async () => {
  actions.open("moved");
  actions.change("A subnet", () => repository.write("index.ts", program(subnet("nodes", "10.0.0.0/20"))));
  await review();

  // Alone in the queue, it is what was judged.
  repository.git("checkout", "--quiet", "-b", "queue", "main");
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", "moved");
  expect(await actions.preview("queue")).toMatchObject({ code: 0 });
  const queued = repository.git("rev-parse", "HEAD");
  expect(await actions.gate("merge_group", queued)).toMatchObject({ step: "Gate", code: 0 });
  expect(forge.statuses[0]).toMatchObject({ sha: queued, state: "success", creator: callers.app });

  repository.git("checkout", "--quiet", "main");
  repository.write("tags.ts", 'export const tags = { team: "shop", costs: "42" };\n');
  repository.commit("Another change, which is not applied yet");
  repository.git("checkout", "--quiet", "queue");
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", "main");
  expect(await actions.preview("queue")).toMatchObject({ code: 0 });
  const behind = repository.git("rev-parse", "HEAD");
  expect(await actions.gate("merge_group", behind)).toMatchObject({ step: "Gate", code: 1 });
  expect(forge.statuses[0]).toMatchObject({ sha: behind, state: "failure" });
  actions.merge();
  expect(await actions.apply()).toMatchObject(differs);
  expect(await repository.subnets()).toEqual([]);
});

test("a change on the platform since stops it, if the preview would now be another", async () => {
  actions.open("drift");
  actions.change("Another subnet", () => repository.write("index.ts", program(subnet("nodes", "10.0.64.0/20"))));
  await review();
  actions.merge();
  await repository.onPlatform(async (cloud) => {
    for (const { vpcId } of (await cloud.call(describeVpcs, {})).vpcSet)
      await cloud.call(createSubnet, { vpcId, subnetName: "by hand", zone: "eu-frankfurt-1", cidrBlock: "10.0.64.0/24" });
  });
  expect(await actions.apply()).toMatchObject(differs);
  expect(await repository.subnets()).toEqual(["10.0.64.0/24"]);
  await repository.onPlatform(async (cloud) => {
    for (const { subnetId } of (await cloud.call(describeSubnets, {})).subnetSet) await cloud.call(deleteSubnet, { subnetId });
  });
  expect(await actions.apply()).toMatchObject({ step: "Apply just that", code: 0 });
  expect(await repository.subnets()).toEqual(["10.0.64.0/20"]);
});
