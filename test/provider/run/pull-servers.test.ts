import { World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, expect, test } from "vitest";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { pluginHere } from "../../support/provider-here.ts";
import { asSecret, type Props, struct } from "../../support/structs.ts";
import { region } from "../stage/stage.ts";

/** From where a registry can be pulled, as classes and the plugin's function tell it alike: of the class, by the real engine, `pull.all.test.ts`. */

const world = World.open(":memory:", { timeScale: "instant" });
afterAll(() => {
  world.close();
});
const plugin = pluginHere(world, region);

const base = { registryName: "acme-images", publicDomain: "acme-images.example" };
const connected = { internalEndpoint: "10.0.0.7", internalDomains: { "vpc-3f8a0c1e": "acme-images-vpc.example" } };

async function told(name: "pullServer" | "pullSecret", args: Props): Promise<Props> {
  const request = new messages.InvokeRequest().setTok(nativeToken(name)).setArgs(struct(args));
  return (await plugin.invoke(request)).getReturn()?.toJavaScript() ?? {};
}
const serverFor = (args: Props) => told("pullServer", { ...base, ...args });

test("the secret for a server has the user and the password in the form of container clients, and is a secret", async () => {
  const login = { username: "reg$nodes", password: "hush-hush" };
  const auths = { "acme-images.example": { ...login, auth: Buffer.from("reg$nodes:hush-hush").toString("base64") } };
  const { dockerConfigJson } = await told("pullSecret", { server: "acme-images.example", ...login });
  expect(dockerConfigJson).toEqual(asSecret(JSON.stringify({ auths })));
});

test("an open registry is pulled from by its public domain, and in a connected VPC by that VPC's", async () => {
  expect(await serverFor({ publicAccess: { whitelist: [{ cidrBlock: "203.0.113.0/24" }] } })).toEqual({ server: base.publicDomain });
  expect(await serverFor({ vpcId: "vpc-3f8a0c1e", ...connected })).toEqual({ server: "acme-images-vpc.example" });
});

const closed = "registry acme-images cannot be pulled from ";
test.each<[of: string, args: Props, says: string]>([
  ["the internet while it is closed", {}, `${closed}over the internet: its public endpoint is closed; set publicAccess`],
  [
    "a VPC that is not connected, or does not resolve the domain",
    { vpcId: "vpc-00000001", ...connected },
    `${closed}in vpc-00000001: vpc-00000001 is not connected, or does not resolve its domain; name it in internalAccess, with dns`,
  ],
  [
    "a VPC while none is connected",
    { vpcId: "vpc-3f8a0c1e", internalEndpoint: "", internalDomains: {} },
    `${closed}in vpc-3f8a0c1e: it is not Running, or no VPC is connected; wait for it, and name the VPC in internalAccess`,
  ],
])("from %s, it is refused", async (_, args, says) => {
  await expect(serverFor(args)).rejects.toThrow(says);
});
