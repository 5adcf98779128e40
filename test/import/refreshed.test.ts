import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test } from "vitest";
import { nativeToken } from "../../provider/src/runtime/tokens.ts";
import { pluginHere } from "../support/provider-here.ts";
import { makeSite } from "./sites.ts";

/**
 * What Pulumi's engine puts into a state when it imports a resource is what the plugin tells of it, inputs unchecked, also where a program
 * would leave a part of them out. The first refresh after that tells the same.
 */
test("of each kind, the first refresh after an import finds it as the import has left it", async () => {
  const region = "eu-frankfurt";
  const world = World.open(":memory:", { timeScale: "instant", seed: "test" });
  try {
    const cloud = new Cloud({ transport: new LocalPlatform(world), region });
    for (const { kind, id } of await makeSite({ cloud, world }, 0)) {
      const request = () => new messages.ReadRequest().setUrn(`urn:pulumi:test::project::${nativeToken(kind)}::found`).setId(id);
      const imported = await pluginHere(world, region).read(request());
      const again = request().setInputs(imported.getInputs()).setProperties(imported.getProperties());
      const refreshed = await pluginHere(world, region).read(again);
      expect(refreshed.getInputs()?.toJavaScript(), `${kind} ${id}`).toEqual(imported.getInputs()?.toJavaScript());
      expect(refreshed.getProperties()?.toJavaScript(), `${kind} ${id}`).toEqual(imported.getProperties()?.toJavaScript());
    }
  } finally {
    world.close();
  }
});
