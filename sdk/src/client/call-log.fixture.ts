import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "./client.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { CallRecord } from "./call-log.ts";

/** One of several processes that write into one record. */

const [file = "", recordFile = "", place = "0", rounds = "0"] = process.argv.slice(2);
const world = World.open(file, { timeScale: "instant" });
const record = new CallRecord(recordFile);
const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt", record });
const vpcName = `of-${place}-`.padEnd(60, "x");
for (let round = 0; round < Number(rounds); round++) {
  await cloud.call(createVpc, { vpcName, cidrBlock: `10.${Number(place) * 60 + round}.0.0/16` });
  await cloud.call(describeVpcs, { filters: [{ name: "vpc-name", values: Array.from({ length: 5 }, () => vpcName) }] });
}
world.close();
