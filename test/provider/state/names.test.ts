import { expect, test } from "vitest";
import type { Deployment } from "../../support/deployment.ts";
import { sharedStage } from "../stage/shared-stage.ts";

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
