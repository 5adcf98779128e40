import { execFileSync } from "node:child_process";
import * as vpc from "@container-platform/sdk/vpc";
import { ServerProcess } from "../support/server-process.ts";
import { type Figure, repeated } from "./figure.ts";
import { bothForms } from "./forms.ts";
import { loaded } from "./load.ts";
import { description, Place } from "./world-place.ts";
import { there, thereOf, timeOfNode } from "./yardstick.ts";

/** What the local platform by itself costs: over HTTP and in process, at its start, and in a large world. */

const rounds = 5;

const byId =
  "The time of 1,000 calls varies between rounds by more than the miss: nine rounds on a busy machine were 0.67 to 2.21. An index finds the row. Its depth grows by one if the number of rows grows a hundredfold.";

export async function platform(): Promise<Figure[]> {
  console.error("describing over HTTP, at 32 connections");
  const describes = await describesOverHttp();
  console.error("calling in both forms");
  const forms = await bothForms();
  console.error("calling in process");
  const calls = await repeated(callsInProcess, rounds);
  console.error("starting the server");
  const starts = await repeated(startOfServer, rounds);
  console.error("filling worlds of 10,000 and of 100,000");
  const large = [
    { size: "10,000", most: 20, ...(await largeWorld(10_000)) },
    { size: "100,000", most: 200, ...(await largeWorld(100_000)) },
  ];
  return [
    { name: "describe over HTTP: requests per second", measured: describes.map(({ rate }) => rate) },
    {
      name: "describe over HTTP: requests per second of a bare server, as a multiple of the emulator",
      atMost: 2.2,
      missed:
        "In the server's process, the share of the emulator's transaction is 26 %, of Node's HTTP server 16 %, of garbage collection 13 %, of checking signatures 12 %.",
      measured: describes.map((one) => one.slower),
    },
    {
      name: `describe over HTTP: 99th percentile of response times, ${there}`,
      atMost: 10,
      missed: "The server shares two processors with the process of its 32 clients. Compare the response times of the bare server below.",
      measured: describes.map(({ slowest }) => slowest),
    },
    { name: `bare server: 99th percentile of response times, ${there}`, measured: describes.map(({ barely }) => barely) },
    ...forms,
    { name: "in process: reads per second", measured: calls.map(({ reads }) => reads) },
    { name: "in process: writes per second", measured: calls.map(({ writes }) => writes) },
    { name: `start of cpcli serve until its first response, beyond node -e 0, ${there}`, atMost: 100, measured: starts },
    ...large.map(({ size, slower }) => ({
      ...{ name: `describe by ID, database of ${size} resources, as a multiple of 100 resources`, atMost: 1.1, missed: byId },
      measured: slower,
    })),
    ...large.flatMap(({ size, most: atMost, atRest, afterLoad }) => [
      { name: `server with a database of ${size} resources, at rest: MB beyond an empty database`, atMost, measured: [atRest] },
      { name: `server with a database of ${size} resources, after load: MB beyond an empty database`, atMost, measured: [afterLoad] },
    ]),
  ];
}

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

/** Describes over HTTP, at 32 connections: how many times faster a bare server is, and the slowest of 100 of both in milliseconds of the machine of the goals. */
async function describesOverHttp() {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  await using server = await place.serve();
  await using bare = await ServerProcess.start(["-e", bareServer]);
  const measure = async ({ address }: ServerProcess) => loaded(address, description(address, place.key, vpcId));
  // The first rounds warm up.
  for (const one of [bare, server, bare, server]) await measure(one);
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const nothing = timeOfNode(["-e", "0"]);
    const [bound, ours] = [await measure(bare), await measure(server)];
    const [slowest, barely] = [thereOf(ours.slowest, nothing), thereOf(bound.slowest, nothing)];
    measured.push({ slower: bound.rate / ours.rate, rate: ours.rate, slowest, barely });
  }
  return measured;
}

/** Reads and writes a second, in process. */
async function callsInProcess() {
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

/** Milliseconds of the machine of the goals from the start of `cpcli serve` to its first answer, beyond those that Node needs to do nothing. */
async function startOfServer(): Promise<number> {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  // The client's own share is loaded before.
  await fetch("data:,");
  const nothing = timeOfNode(["-e", "0"]);
  const begun = performance.now();
  await using server = await place.serve();
  const { headers, body } = description(server.address, place.key, vpcId);
  const { host: _, ...others } = headers;
  const answer = await fetch(server.address, { method: "POST", headers: others, body });
  const ended = performance.now();
  if (!(await answer.text()).includes("TotalCount")) throw new Error("the server gave no answer");
  return thereOf(ended - begun - nothing, nothing);
}

/**
 * What a world of so many resources costs: memory of its server at rest and after load, in MB beyond that of the server of an empty world
 * with equal load; and the time of a describe by id in process, as a multiple of that in a world of 100, round by round.
 */
async function largeWorld(count: number) {
  await using empty = new Place();
  await using large = new Place();
  const [emptyVpc, largeVpc] = [await empty.makeVpc(), await large.makeVpc()];
  const slower = await slowerThanInWorldOf(100, large, await large.fill(largeVpc, count));
  await using bare = await empty.serve();
  await using server = await large.serve();
  const beyond = () => memoryOf(server) - memoryOf(bare);
  await fetch(bare.address);
  await fetch(server.address);
  const atRest = beyond();
  await loaded(bare.address, description(bare.address, empty.key, emptyVpc));
  await loaded(server.address, description(server.address, large.key, largeVpc));
  return { atRest, afterLoad: beyond(), slower };
}

/** In MB. */
function memoryOf({ pid }: ServerProcess): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8" })) / 1024;
}

/** Both worlds are asked in turns, so that what else the machine does meets both. */
async function slowerThanInWorldOf(count: number, large: Place, subnetId: string): Promise<number[]> {
  await using small = new Place();
  const smallId = await small.fill(await small.makeVpc(), count);
  // The first round warms up.
  const times = [];
  for (let round = 0; round <= rounds; round++)
    times.push((await timeOfDescribe(large, subnetId)) / (await timeOfDescribe(small, smallId)));
  return times.slice(1);
}

async function timeOfDescribe({ cloud }: Place, subnetId: string): Promise<number> {
  const begun = performance.now();
  for (let index = 0; index < 1000; index++) await cloud.call(vpc.describeSubnets, { subnetIds: [subnetId] });
  return performance.now() - begun;
}
