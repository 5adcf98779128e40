import { catalogue } from "@container-platform/sdk/reference";
import { expect, test } from "vitest";
import { publicApi } from "../../sdk/src/wire-format/wire-format.ts";
import { hasMethod, type VendorOperation } from "../../sdk/src/wire-format/public/vendor-client.fixture.ts";
import { VendorClient } from "../support/vendor-client.ts";
import { publicOtherwise } from "./public-otherwise.ts";
import { served } from "./served.ts";
import { specificationSuite } from "./suite.ts";

/** The vendor's own client for Node calls the served platform. Each operation by itself is called in `sdk/src/cli/vendor-client.test.ts`. */

const called = new Map<string, VendorOperation>();

specificationSuite(
  "the specification, through the vendor's own client",
  served(async (access) => {
    const client = await VendorClient.before(access, (operation) => {
      called.set(Object.values(operation).join(" "), operation);
    });
    return [`public:${client.url}`, client];
  }),
  publicOtherwise,
);

test("the proofs call operations by the vendor's methods for them", () => {
  const known = new Set(catalogue.map(({ product, action, version }) => `${publicApi.services[product]} ${action} ${version}`));
  const operations = [...called].flatMap(([name, operation]) => (known.has(name) ? [operation] : []));
  console.log(`the proofs call ${operations.length} of ${known.size} operations by the vendor's methods`);
  expect(operations.filter((operation) => !hasMethod(operation))).toEqual([]);
  expect(operations.length).toBeGreaterThan(80);
});
