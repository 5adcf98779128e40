import { PlatformError } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { recently, type Context } from "../definition/context.ts";
import type { Props } from "../schema/values.ts";
import type { Poll } from "./poll.ts";

/**
 * Seconds for which what is missing may still come, although nothing tells of it: the engine begins at the same time what nothing has wait,
 * such as an endpoint and the node pool of its cluster.
 */
const patience = 20;

/** Waits until a resource can be made. @throws what cannot come, once it had the time to */
export async function untilPossible({ prerequisite }: Kind, context: Context, poll: Poll, desired: Props): Promise<void> {
  if (!prerequisite) return;
  const begun = performance.now();
  // Others may wait for the same, and have just seen it.
  let cloud = context.cloud.tolerating(recently);
  await poll.until(async () => {
    try {
      return await prerequisite(cloud, desired);
    } catch (error) {
      // What the platform refuses does not come by itself.
      const mayCome = error instanceof Error && !(error instanceof PlatformError) && performance.now() - begun < patience * 1000;
      if (!mayCome) throw error;
      return error.message;
    } finally {
      cloud = poll.cloud;
    }
  });
}
