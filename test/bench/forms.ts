import * as vpc from "@container-platform/sdk/vpc";
import { Cloud, connect } from "@container-platform/sdk";
import { accessKeyOf, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import type { Figure } from "./figure.ts";

/** The form of the public API beside the neutral one: what a call over HTTP costs client and server together, in processor time. */

const rounds = 100;
/** Calls of a form in a round: so many that each has its share of garbage collection. */
const calls = 40;
/** Security groups in the world: their records have names of their own there. */
const groups = 100;

/** Both are in this process, whose processor time is measured: what else runs on the machine does not count. */
export async function bothForms(): Promise<Figure[]> {
  const world = World.open(":memory:", { timeScale: "instant" });
  const server = await serve(world);
  const credentials = accessKeyOf(world);
  const cloudAt = async (endpoint: string) =>
    new Cloud({ transport: await connect(endpoint, { credentials, environment: {} }), region: "eu-frankfurt" });
  const [neutral, open] = [await cloudAt(server.url), await cloudAt(`public:${server.url}`)];
  const { vpc: made } = await neutral.call(vpc.createVpc, { vpcName: "bench", cidrBlock: "10.0.0.0/16" });
  const works: Readonly<Record<string, (cloud: Cloud) => Promise<unknown>>> = {
    "describe of a VPC": (cloud) => cloud.call(vpc.describeVpcs, { vpcIds: [made.vpcId] }),
    [`list of ${groups} security groups`]: (cloud) => cloud.call(vpc.describeSecurityGroups, { limit: `${groups}` }),
    "creation of a security group": (cloud) => cloud.call(vpc.createSecurityGroup, { groupName: "bench", groupDescription: "" }),
  };
  for (let index = 0; index < groups; index++) await works["creation of a security group"]?.(neutral);
  const figures: Figure[] = [];
  for (const [name, work] of Object.entries(works)) {
    const measured = await measuredBeside(
      () => work(neutral),
      () => work(open),
    );
    figures.push(
      { name: `${name} over HTTP: microseconds of processor time of client and server`, measured: measured.map(({ one }) => one) },
      {
        name: `${name} in the public API's wire format, as a multiple of the neutral format`,
        atMost: 1.1,
        measured: measured.map((both) => both.other / both.one),
      },
    );
  }
  await Promise.all([neutral, open].map(({ transport }) => transport.close()));
  await server.close();
  world.close();
  return figures;
}

/** Each round measures both, and they take turns in being the first. */
async function measuredBeside(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  for (const warmed of [one, other, one, other]) await cost(warmed, 250);
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await cost(one) : undefined;
    const second = await cost(other);
    measured.push({ one: first ?? (await cost(one)), other: second });
  }
  return measured;
}

/** Microseconds of this process's processor time for a call. */
async function cost(work: () => Promise<unknown>, times = calls): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
