import { World } from "@container-platform/sdk/local";
import { expect, onTestFinished, test } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { region } from "../stage/stage.ts";
import { type Answers, ToldOtherwise } from "../stage/told-otherwise.ts";

/** The platform carries out a call, and answers incorrectly: nothing is lost, and nothing is created a second time. */

const args = { cidrBlock: "10.0.0.0/16" };

function start() {
  const world = World.open(":memory:", { timeScale: "instant" });
  const answers: Answers = {};
  const host = new ProviderHere(world, region, { transport: ToldOtherwise.reached(world, answers) });
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
  });
  const vpcs = () => world.prepare("SELECT 1 FROM vpcs").all().length;
  return { host, answers, vpcs, vpc: new Deployment(host, "Vpc", "net") };
}

test("a creation that is answered without an ID is searched for, and the update continues with it", async () => {
  const { host, answers, vpcs, vpc } = start();
  answers["CreateVpc"] = (body) => ({ ...body, Vpc: { ...Object(body["Vpc"]), VpcId: "" } });
  expect(await vpc.up(args)).toBe("create");
  expect(vpc.id).toMatch(/^vpc-[0-9a-f]{8}$/);
  expect(host.lines.map(({ message }) => message)).toContain(
    `the platform's answer has no vpcId, but it has created ${vpc.id}: this update continues with it`,
  );
  await host.restart("SIGINT");
  expect(await vpc.preview(args)).toBe("nothing");
  expect(vpcs()).toBe(1);
});

test("what is told to be gone and is there in the same run is not called a replacement by force", async () => {
  const { host, answers, vpcs, vpc } = start();
  await vpc.up(args);
  const { id } = vpc;
  await host.restart("SIGINT");
  answers["DescribeVpcs"] = () => ({ TotalCount: 0, VpcSet: [] });
  expect(await vpc.refresh()).toBe(false);
  delete answers["DescribeVpcs"];
  await expect(vpc.preview(args)).rejects.toThrow(
    `cidrBlock: 10.0.0.0/16 overlaps cidrBlock 10.0.0.0/16 of ${id}. This update did not find ${id} before and removed it from the state, but it exists. To manage it again, add { import: "${id}" } to the options of the resource that had it`,
  );
  expect(vpcs()).toBe(1);
});
