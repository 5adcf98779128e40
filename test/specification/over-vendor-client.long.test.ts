import { connect, type Transport } from "@container-platform/sdk";
import { accessKeyOf, putAccessKey } from "@container-platform/sdk/local";
import { catalogue } from "@container-platform/sdk/reference";
import { serve } from "@container-platform/sdk/server";
import { expect, test } from "vitest";
import { publicApi } from "../../sdk/src/dialect/dialect.ts";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { hasMethod, type VendorOperation } from "../../sdk/src/dialect/public/vendor-client.fixture.ts";
import { VendorClient } from "../support/vendor-client.ts";
import { proofs } from "./proofs.ts";
import { conventionProofs } from "./proofs/conventions.ts";
import { publicOtherwise } from "./public-otherwise.ts";
import { specificationSuite } from "./suite.ts";

/**
 * The vendor's own client for Node calls the served platform: in the long tests in every proof. Each operation by itself is called in
 * `sdk/src/cli/vendor-client.test.ts`.
 */

const called = new Map<string, VendorOperation>();

specificationSuite(
  "the specification, through the vendor's own client",
  async (world) => {
    const server = await serve(world);
    const open: (VendorClient | Transport)[] = [];
    return {
      as: async (uin: string) => {
        const credentials = uin === world.account ? accessKeyOf(world) : await putAccessKey(world, { uin });
        const client = await VendorClient.before({ url: server.url, credentials }, (operation) => {
          called.set(Object.values(operation).join(" "), operation);
        });
        const transport = await connect(`public:${client.url}`, { credentials });
        open.push(transport, client);
        return transport;
      },
      close: async () => {
        for (const each of open) await ("close" in each ? each.close() : each[Symbol.asyncDispose]());
        await server.close();
      },
    };
  },
  publicOtherwise,
  isLong ? proofs : conventionProofs,
);

test("the proofs call operations by the vendor's methods for them", () => {
  const known = new Set(catalogue.map(({ product, action, version }) => `${publicApi.services[product]} ${action} ${version}`));
  const operations = [...called].flatMap(([name, operation]) => (known.has(name) ? [operation] : []));
  console.log(`the proofs call ${operations.length} of ${known.size} operations by the vendor's methods`);
  expect(operations.filter((operation) => !hasMethod(operation))).toEqual([]);
  expect(operations.length).toBeGreaterThan(isLong ? 80 : 20);
});
