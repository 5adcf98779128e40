import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Cloud } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { type AccessKey, accessKeyOf, LocalPlatform, World } from "@container-platform/sdk/local";
import { neutral } from "../../sdk/src/transport/dialect.ts";
import { authorizationFor } from "../../sdk/src/transport/signature.ts";
import { ServerProcess } from "../support/server-process.ts";
import { type Sent, loaded } from "./load.ts";

/** What the local platform by itself costs: over HTTP and in process, at its start, and in a large world. */

const program = fileURLToPath(new URL("../../sdk/bin/cpcli.cjs", import.meta.url));
const region = "eu-frankfurt";

/** Reads what it is asked and answers, as a server that has nothing else to do. */
const bareServer = `
const { createServer } = require("node:http");
const text = JSON.stringify({ Response: { TotalCount: 1 } });
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks));
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

/** A world in a file of its own. */
class Place implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "container-platform-bench-"));
  readonly file = join(this.#folder, "world.db");
  readonly world = World.open(this.file, { pace: "instant" });
  readonly cloud = new Cloud({ transport: new LocalPlatform(this.world), region });
  readonly key: AccessKey = accessKeyOf(this.world);

  async makeVpc(): Promise<string> {
    return (await this.cloud.call(vpc.createVpc, { vpcName: "bench", cidrBlock: "10.0.0.0/12" })).vpc.vpcId;
  }

  /** So many subnets and security groups, in the VPC. Answers the id of a subnet in the middle. */
  async fill(vpcId: string, count: number): Promise<string> {
    let middle = "";
    for (let index = 0; index < count / 2; index++) {
      await this.cloud.call(vpc.createSecurityGroup, { groupName: `group-${index}`, groupDescription: "" });
      const cidrBlock = `10.${Math.floor(index / 1024)}.${Math.floor((index % 1024) / 4)}.${(index % 4) * 64}/26`;
      const { subnet } = await this.cloud.call(vpc.createSubnet, { vpcId, subnetName: `subnet-${index}`, cidrBlock, zone: `${region}-1` });
      if (index === Math.floor(count / 4)) middle = subnet.subnetId;
    }
    return middle;
  }

  serve(): Promise<ServerProcess> {
    return ServerProcess.start([program, "serve", "--world", this.file]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.world.close();
    rmSync(this.#folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}

/** A signed call that describes one VPC. */
function description(url: string, key: AccessKey, vpcId: string): Sent {
  const timestamp = Math.floor(Date.now() / 1000);
  const named = { "x-cp-action": "DescribeVpcs", "x-cp-version": "2017-03-12", "x-cp-region": region };
  const headers = { "content-type": "application/json", host: new URL(url).host, ...named };
  const body = JSON.stringify({ VpcIds: [vpcId] });
  const authorization = authorizationFor(neutral, key, { headers, body, service: "vpc", timestamp });
  return { headers: { ...headers, "x-cp-timestamp": `${timestamp}`, authorization }, body, expected: '"TotalCount":1' };
}

/** Describes over HTTP, at 32 connections: how many times faster a bare server is, and the slowest of 100 of both in milliseconds. */
export async function describesOverHttp(rounds: number): Promise<{ slower: number; rate: number; slowest: number; barely: number }[]> {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  await using server = await place.serve();
  await using bare = await ServerProcess.start(["-e", bareServer]);
  const measure = async ({ address }: ServerProcess) => loaded(address, description(address, place.key, vpcId));
  // The first rounds warm up.
  for (const one of [bare, server, bare, server]) await measure(one);
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const [bound, ours] = [await measure(bare), await measure(server)];
    measured.push({ slower: bound.rate / ours.rate, rate: ours.rate, slowest: ours.slowest, barely: bound.slowest });
  }
  return measured;
}

/** Reads and writes a second, in process. */
export async function callsInProcess(): Promise<{ reads: number; writes: number }> {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  const rateOf = async (count: number, call: () => Promise<unknown>) => {
    const begun = performance.now();
    for (let index = 0; index < count; index++) await call();
    return (count / (performance.now() - begun)) * 1000;
  };
  const read = () => place.cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] });
  const write = () => place.cloud.call(vpc.createSecurityGroup, { groupName: "bench", groupDescription: "" });
  await rateOf(500, read);
  await rateOf(100, write);
  return { reads: await rateOf(3000, read), writes: await rateOf(1000, write) };
}

/** Milliseconds from the start of `cpcli serve` to its first answer, beyond those that Node needs to do nothing. */
export async function startOfServer(): Promise<number> {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  // The client's own share is loaded before.
  await fetch("data:,");
  const nothing = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
  const begun = performance.now();
  await using server = await place.serve();
  const { headers, body } = description(server.address, place.key, vpcId);
  const { host: _, ...others } = headers;
  const answer = await fetch(server.address, { method: "POST", headers: others, body });
  const ended = performance.now();
  if (!(await answer.text()).includes("TotalCount")) throw new Error("the server gave no answer");
  return ended - begun - (begun - nothing);
}

/** The time of a describe by id in a world of 10,000 resources, as a multiple of that in a world of 100; and the memory of its server, in MB. */
export async function largeWorld(): Promise<{ slower: number; memory: number }> {
  await using large = new Place();
  const largeVpc = await large.makeVpc();
  const [small, ours] = [await timeInWorldOf(100), await timeOfDescribe(large, await large.fill(largeVpc, 10_000))];
  await using server = await large.serve();
  await loaded(server.address, description(server.address, large.key, largeVpc));
  const memory = Number(execFileSync("ps", ["-o", "rss=", "-p", `${server.pid}`], { encoding: "utf8" })) / 1024;
  return { slower: ours / small, memory };
}

async function timeInWorldOf(count: number): Promise<number> {
  await using place = new Place();
  return await timeOfDescribe(place, await place.fill(await place.makeVpc(), count));
}

async function timeOfDescribe({ cloud }: Place, subnetId: string): Promise<number> {
  const describe = () => cloud.call(vpc.describeSubnets, { subnetIds: [subnetId] });
  for (let index = 0; index < 500; index++) await describe();
  const begun = performance.now();
  for (let index = 0; index < 2000; index++) await describe();
  return performance.now() - begun;
}
