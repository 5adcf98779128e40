import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Cloud } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import { type AccessKey, accessKeyOf, LocalPlatform, World } from "@container-platform/sdk/local";
import { neutral } from "../../sdk/src/wire-format/wire-format.ts";
import { authorizationFor } from "../../sdk/src/transport/signature.ts";
import { ServerProcess } from "../support/server-process.ts";
import type { Sent } from "./load.ts";

export const program = fileURLToPath(new URL("../../sdk/bin/cpcli.cjs", import.meta.url));
const region = "eu-frankfurt";

/** A world in a file of its own. */
export class Place implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "container-platform-bench-"));
  readonly file = join(this.#folder, "world.db");
  readonly world = World.open(this.file, { timeScale: "instant" });
  readonly cloud = new Cloud({ transport: new LocalPlatform(this.world), region });
  readonly key: AccessKey = accessKeyOf(this.world);

  async makeVpc(): Promise<string> {
    return (await this.cloud.call(vpc.createVpc, { vpcName: "bench", cidrBlock: "10.0.0.0/12" })).vpc.vpcId;
  }

  /** So many subnets and security groups, in the VPC, which has room for 131,072 subnets of 8 addresses. Answers the id of one in the middle. */
  async fill(vpcId: string, count: number): Promise<string> {
    let middle = "";
    for (let index = 0; index < count / 2; index++) {
      await this.cloud.call(vpc.createSecurityGroup, { groupName: `group-${index}`, groupDescription: "" });
      const cidrBlock = `10.${Math.floor(index / 8192)}.${Math.floor(index / 32) % 256}.${(index % 32) * 8}/29`;
      const { subnet } = await this.cloud.call(vpc.createSubnet, { vpcId, subnetName: `subnet-${index}`, cidrBlock, zone: `${region}-1` });
      if (index === Math.floor(count / 4)) middle = subnet.subnetId;
    }
    return middle;
  }

  serve(): Promise<ServerProcess> {
    return ServerProcess.start([program, "serve", "--db", this.file]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.world.close();
    rmSync(this.#folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}

export function description(url: string, key: AccessKey, vpcId: string): Sent {
  return signed(url, key, "DescribeVpcs", { VpcIds: [vpcId] }, '"TotalCount":1');
}

export function creation(url: string, key: AccessKey): Sent {
  return signed(url, key, "CreateSecurityGroup", { GroupName: "bench", GroupDescription: "bench" }, '"SecurityGroupId"');
}

function signed(url: string, key: AccessKey, action: string, parameters: object, expected: string): Sent {
  const timestamp = Math.floor(Date.now() / 1000);
  const named = { "x-cp-action": action, "x-cp-version": "2017-03-12", "x-cp-region": region };
  const headers = { "content-type": "application/json", host: new URL(url).host, ...named };
  const body = JSON.stringify(parameters);
  const authorization = authorizationFor(neutral, key, { headers, body, service: "vpc", timestamp });
  return { headers: { ...headers, "x-cp-timestamp": `${timestamp}`, authorization }, body, expected };
}
