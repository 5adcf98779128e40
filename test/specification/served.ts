import { connect } from "@container-platform/sdk";
import { accessKeyOf, putAccessKey } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import type { Reaching } from "./proof-stage.ts";

interface Access {
  readonly url: string;
  readonly credentials: Awaited<ReturnType<typeof putAccessKey>>;
}

/** The endpoint by which an account reaches a served world, and what to end after it. */
type Way = (access: Access) => Promise<readonly [endpoint: string, ...ends: AsyncDisposable[]]>;

/** Worlds that are served, each account of which has a key. */
export function served(way: Way): Reaching {
  return async (world) => {
    const server = await serve(world);
    const ends: (() => PromiseLike<void>)[] = [];
    return {
      as: async (uin) => {
        const credentials = uin === world.account ? accessKeyOf(world) : await putAccessKey(world, { uin });
        const [endpoint, ...others] = await way({ url: server.url, credentials });
        const transport = await connect(endpoint, { credentials });
        ends.push(() => transport.close(), ...others.map((each) => () => each[Symbol.asyncDispose]()));
        return transport;
      },
      close: async () => {
        for (const end of ends) await end();
        await server.close();
      },
    };
  };
}
