import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../support/compiler.ts";
import { freePort } from "../support/server-process.ts";
import type { Figure } from "./figure.ts";
import { loaded, type Sent } from "./load.ts";
import { creation, description, Place } from "./world-place.ts";

/** The local platform beside moto, the stand-in for AWS that most tests use: a describe of one VPC, and making security groups. */

const version = "5.2.5";
const folder = join(root, "node_modules", ".cache", `moto-${version}`);
const rounds = 3;

/** One connection, and 32. */
const widths = [1, 32] as const;
const goals = { describing: { 1: 10, 32: 40 }, creating: { 1: 8, 32: 25 } } as const;

export async function moto(): Promise<Figure[]> {
  install();
  const address = `http://127.0.0.1:${await freePort()}`;
  const process = spawn(join(folder, "bin", "moto_server"), ["-p", new URL(address).port], { stdio: "ignore" });
  try {
    await answering(address);
    return await beside(address);
  } finally {
    process.kill("SIGTERM");
    if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
  }
}

async function beside(address: string): Promise<Figure[]> {
  await using place = new Place();
  const vpcId = await place.makeVpc();
  await using server = await place.serve();
  const describe = description(server.address, place.key, vpcId);
  const theirVpc = /<vpcId>(.*?)<\/vpcId>/.exec(await answerTo(address, sent({ Action: "DescribeVpcs" }, "")))?.[1] ?? "";
  const theirs = sent({ Action: "DescribeVpcs", "VpcId.1": theirVpc }, `<vpcId>${theirVpc}</vpcId>`);
  let made = 0;
  // With many connections, one creation of a hundred fails: its threads look through what others of them are changing.
  const theirCreation = () => ({
    ...sent({ Action: "CreateSecurityGroup", GroupName: `group-${++made}`, GroupDescription: "bench" }, "<groupId>"),
    failing: "500 INTERNAL SERVER ERROR",
  });
  const ourCreation = creation(server.address, place.key);
  const pairs = {
    describing: { ours: describe, theirs },
    creating: { ours: ourCreation, theirs: theirCreation },
  };
  const figures: Figure[] = [];
  for (const what of ["describing", "creating"] as const)
    for (const connections of widths) {
      const measured: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const other = await loaded(address, pairs[what].theirs, { connections });
        const own = await loaded(server.address, pairs[what].ours, { connections });
        measured.push(own.rate / other.rate);
      }
      const name = `${what} with ${connections === 1 ? "one connection" : `${connections} connections`}, as a multiple of moto's rate`;
      figures.push({ name, atLeast: goals[what][connections], measured });
    }
  return figures;
}

/** moto asks for no signature, but takes the product out of it. */
function sent(parameters: Readonly<Record<string, string>>, expected: string): Sent {
  const authorization =
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=0";
  const headers = { host: "127.0.0.1", authorization, "content-type": "application/x-www-form-urlencoded" };
  return { headers, body: new URLSearchParams({ ...parameters, Version: "2016-11-15" }).toString(), expected };
}

function install(): void {
  if (existsSync(join(folder, "bin", "moto_server"))) return;
  console.error("installing moto");
  execFileSync("python3", ["-m", "venv", folder], { stdio: ["ignore", "ignore", "inherit"] });
  execFileSync(join(folder, "bin", "pip"), ["install", "--quiet", `moto[ec2,server]==${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Waits until it answers; Python takes seconds to load it. */
async function answering(address: string): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer) return;
    await sleep(500);
  }
  throw new Error("moto does not answer");
}

async function answerTo(address: string, { headers: { host: _, ...headers }, body }: Sent): Promise<string> {
  return (await fetch(address, { method: "POST", headers, body })).text();
}
