import { World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { pluginHere } from "../../support/provider-here.ts";
import { asSecret, struct } from "../../support/structs.ts";
import { region } from "../stage/stage.ts";

test("what a function of the plugin makes of a secret is a secret, and of other values it is none", async () => {
  const world = World.open(":memory:", { timeScale: "instant" });
  try {
    const plugin = pluginHere(world, region);
    const subnetOf = async (range: unknown) => {
      const request = new messages.InvokeRequest().setTok(nativeToken("cidrSubnet")).setArgs(struct({ range, prefix: 16, index: 7 }));
      return (await plugin.invoke(request)).getReturn()?.toJavaScript();
    };
    expect(await subnetOf("10.0.0.0/8")).toEqual({ cidrBlock: "10.7.0.0/16" });
    expect(await subnetOf(asSecret("10.0.0.0/8"))).toEqual({ cidrBlock: asSecret("10.7.0.0/16") });
  } finally {
    world.close();
  }
});
