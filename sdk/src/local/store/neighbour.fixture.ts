import { createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "./world.ts";

/** One of several processes that write into one world. It prints the id of each resource whose creation was acknowledged. */

const [file = "", place = "0", rounds = "0"] = process.argv.slice(2);
const world = World.open(file, { timeScale: "instant" });
const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" });
for (let round = 0; round < Number(rounds); round++) {
  const cidrBlock = `10.${Number(place) * 60 + round}.0.0/16`;
  const { vpcId } = (await cloud.call(createVpc, { vpcName: `of-${place}`, cidrBlock })).vpc;
  process.stdout.write(`${vpcId}\n`);
  const { subnet } = await cloud.call(createSubnet, { vpcId, subnetName: `of-${place}`, cidrBlock, zone: "eu-frankfurt-1" });
  process.stdout.write(`${subnet.subnetId}\n`);
}
world.close();
