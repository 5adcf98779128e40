import { connect, type Transport } from "@container-platform/sdk";
import { accessKeyOf, putAccessKey } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { publicOtherwise } from "./public-otherwise.ts";
import { specificationSuite } from "./suite.ts";

specificationSuite(
  "the specification, in the form of the public API",
  async (world) => {
    const server = await serve(world);
    const open: Transport[] = [];
    return {
      as: async (uin: string) => {
        const credentials = uin === world.account ? accessKeyOf(world) : await putAccessKey(world, { uin });
        const transport = await connect(`public:${server.url}`, { credentials });
        open.push(transport);
        return transport;
      },
      close: async () => {
        await Promise.all(open.map((transport) => transport.close()));
        await server.close();
      },
    };
  },
  publicOtherwise,
);
