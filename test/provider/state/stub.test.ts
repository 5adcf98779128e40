import { get } from "@container-platform/pulumi/host";
import { runtime } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { constructed } from "../../support/any-class.ts";
import { Host } from "../../support/host.ts";
import { dynamicTest } from "../../support/shell.ts";

/** The text that states hold, byte for byte. It must never change: a resource whose text has changed could no longer be managed. */
const stubOf = (type: string): string => `exports.handler=()=>require("@container-platform/pulumi/host").get("${type}")`;

const privateInputs = z.looseObject({ __provider: z.string(), __urn: z.string() });

test.each(kinds)("the class %s hands this text to Pulumi", async (type) => {
  const handed: unknown[] = [];
  await runtime.setMocks({
    newResource: (made) => {
      const { __provider, __urn } = privateInputs.parse(made.inputs);
      handed.push({ type: made.type, name: made.name, stub: __provider, urn: __urn });
      return { id: "example", state: made.inputs };
    },
    call: () => ({}),
  });
  const made = constructed(type);
  const urn = await new Promise((resolve) => {
    made.urn.apply(resolve);
  });
  const token = `pulumi-nodejs:dynamic/container-platform:${type}`;
  expect(handed).toEqual([{ type: token, name: "example", stub: stubOf(type), urn }]);
  expect(get(type)).toHaveProperty("check");
});

dynamicTest("a kind of resource that this version does not have is refused with what to do", async () => {
  expect(() => get("Volcano")).toThrow("this version of @container-platform/pulumi has no Volcano; it has ");
  await using host = await Host.start({ config: {} });
  const news = { __provider: 'exports.handler=()=>require("@container-platform/pulumi/host").get("Volcano")' };
  await expect(host.check({}, news)).rejects.toThrow(
    /^this version of .* has no Volcano; it has .*: install the version that made the stack$/,
  );
});
