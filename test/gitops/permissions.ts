import { readFileSync } from "node:fs";
import { join } from "node:path";
import { putAccessKey, putSubAccount, setPermissions } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../../sdk/src/catalogue/every-operation.ts";
import { fieldsIn } from "../../sdk/src/operation/fields.ts";
import { Stack } from "../support/stack.ts";
import { pipelines } from "./pipeline.ts";

const { allow } = z
  .strictObject({ allow: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(pipelines, "preview-permissions.json"), "utf8")));

/** What the key of a preview may do, by `preview-permissions.json`. */
export function testsOfPermissions(): void {
  test("previews and the search for drift need no other permissions, on a whole platform", async () => {
    await using stack = await Stack.ofExample("platform", { served: true, programs: "language-host", seconds: 280 });
    await stack.up();
    const uin = await putSubAccount(stack.world, { name: "previews", allow });
    const { secretId, secretKey } = await putAccessKey(stack.world, { uin });
    Object.assign(stack.environment, { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey });
    const calls = stack.calls().length;
    expect((await stack.preview("--expect-no-changes")).code).toBe(0);
    expect((await stack.ok("refresh", "--preview-only", "--expect-no-changes")).code).toBe(0);
    expect(stack.calls().length).toBeGreaterThan(calls);
    expect(stack.writesSince(calls)).toEqual([]);
    await setPermissions(stack.world, uin, { allow: allow.filter((permission) => permission !== "cluster:DescribeClusters") });
    expect((await stack.fails("refresh", "--preview-only")).output).toContain("cluster:DescribeClusters");
  });
}

/** What the list itself has to hold. */
export function testOfTheList(): void {
  const reading = catalogue.filter(({ effect, output }) => effect === "read" && !fieldsIn(output).some(({ sensitive }) => sensitive));
  const prefixes = { registry: "reg" } as const;
  const known = reading.map(({ product, action }) => `${product === "registry" ? prefixes.registry : product}:${action}`);
  expect(allow.filter((permission) => permission !== "vpc:*" && !known.includes(permission))).toEqual([]);
  expect(allow).toContain("vpc:*");
}
