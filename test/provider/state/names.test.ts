import { expect, test } from "vitest";
import { get } from "@container-platform/pulumi/host";
import { runtime } from "@pulumi/pulumi";
import { z } from "zod";
import type { Deployment } from "../../support/deployment.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { constructed } from "../../support/any-class.ts";
import { Host } from "../../support/host.ts";
import { dynamicTest } from "../../support/shell.ts";

/** What states keep: automatic names, and the text that leads back to this package. */

const stage = await sharedStage();

const args = { groupDescription: "a group" };

/** The same resource under another URN, as after a rename or a move with an alias, in a run of its own. */
async function moved(from: Deployment, to: string): Promise<Deployment> {
  await stage.host.restart("SIGINT");
  const next = group(to);
  next.state = from.state;
  return next;
}

function group(name: string): Deployment {
  return stage.deployment("SecurityGroup", name);
}

const nameOf = ({ state }: Deployment): unknown => state?.inputs["groupName"];

test("an automatic name stays when the resource gets another URN, however often, through refreshes and updates", async () => {
  const first = group("first");
  await first.up(args);
  const name = nameOf(first);
  expect(name).toMatch(/^first-[0-9a-f]{7}$/);

  const second = await moved(first, "second");
  expect(await second.preview(args)).toBe("nothing");
  expect(await stage.writes(() => second.up(args))).toEqual([]);
  const third = await moved(second, "third");
  expect(await stage.writes(() => third.up(args))).toEqual([]);
  expect(nameOf(third)).toBe(name);

  expect(await third.refresh()).toBe(true);
  expect(await third.preview(args)).toBe("nothing");
  expect(await third.up({ groupDescription: "another" })).toBe("update");
  await third.refresh();
  expect(await third.preview({ groupDescription: "another" })).toBe("nothing");
  expect(nameOf(third)).toBe(name);

  const again = await moved(third, "first");
  expect(await again.up({ groupDescription: "another" })).toBe("nothing");
  expect(again.state?.inputs).not.toHaveProperty("__named");
  await again.destroy();
});

test("a name that the program gives is not remembered, and one that is taken out is made of the new URN", async () => {
  const first = group("first");
  await first.up({ ...args, groupName: "mine" });
  const second = await moved(first, "second");
  expect(await second.preview({ ...args, groupName: "mine" })).toBe("nothing");
  await second.up(args);
  expect(nameOf(second)).toMatch(/^second-[0-9a-f]{7}$/);
  await second.destroy();
});

test("a new resource in place of a renamed one has a name of its own", async () => {
  const first = await stage.deployed("Vpc", { cidrBlock: "10.0.0.0/16" }, "first");
  await stage.host.restart("SIGINT");
  const second = stage.deployment("Vpc", "second");
  second.state = first.state;
  expect(await second.up({ cidrBlock: "10.0.0.0/16" })).toBe("nothing");
  expect(second.state?.inputs["vpcName"]).toMatch(/^first-/);
  expect(await second.up({ cidrBlock: "10.0.0.0/12" })).toBe("delete-replace");
  expect(second.state?.inputs["vpcName"]).toMatch(/^second-/);
  await second.destroy();
});

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
