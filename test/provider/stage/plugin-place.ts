import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll } from "vitest";
import type { NativeProvider } from "../../../provider/src/plugin/native-provider.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { pluginHere } from "../../support/provider-here.ts";
import { type Props, propsOf, struct } from "../../support/structs.ts";
import { region } from "./stage.ts";

/** The native plugin in this process, on a world of its own, for all tests of a file. */
export function pluginPlace(seed: string) {
  const world = World.open(":memory:", { timeScale: "instant", seed });
  afterAll(() => {
    world.close();
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const plugin: NativeProvider = pluginHere(world, region);
  /** What a function answers. */
  const answer = async (name: string, args: Props = {}): Promise<Props> => {
    const request = new messages.InvokeRequest().setTok(nativeToken(name)).setArgs(struct(args));
    return propsOf((await plugin.invoke(request)).getReturn());
  };
  return { world, cloud, plugin, answer };
}
