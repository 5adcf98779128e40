import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { Ipv6Block } from "@container-platform/pulumi";
import { Refused } from "../../support/deployment.ts";
import { type Props, unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { casesOf } from "../kinds/all.ts";
import { password } from "../kinds/password.ts";
import { oneNode } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";

const stage = await sharedStage();

async function failuresOf(type: string, args: Props): Promise<Refused["failures"]> {
  try {
    await stage.deployment(type).preview(args);
    return [];
  } catch (error) {
    if (error instanceof Refused) return error.failures;
    throw error;
  }
}

test.each(kinds.flatMap((type) => casesOf[type].refused.map(([args, ...reasons]) => ({ type, args, reasons }))))(
  "$type $args: $reasons",
  async ({ type, args, reasons }) => {
    const calls = await stage.calls(async () => {
      const failures = await failuresOf(type, args);
      expect(failures.map(({ reason }) => reason)).toEqual(reasons);
      expect(failures.map(({ code, path }) => [code, path])).toEqual(reasons.map((reason) => ["InvalidInput", reason.split(": ", 1)[0]]));
      // With the name of the property, the engine would print its value.
      for (const { property } of failures) expect(property).toBe("");
      expect(JSON.stringify(failures)).not.toContain(password);
    });
    expect(calls).toEqual([]);
  },
);

test("of inputs that the program gives as secrets, no value is quoted: short ones and numbers as words of their own", async () => {
  const native = { ...oneNode("subnet-1"), instanceTypes: ["S"], replicas: -1 };
  const given = stage.deployment("NodePool", "secretive", { __veiled: ["native", "labels"] });
  await expect(given.preview({ clusterId: "cls-1", native, labels: { tier: 7 } })).rejects.toThrow(
    "native.replicas: takes at least 0, not [secret]\nlabels.[secret]: takes a string, not a number",
  );
  // A short one is no secret of others.
  const plain = stage.deployment("NodePool", "open");
  await expect(plain.preview({ clusterId: "cls-1", native })).rejects.toThrow("native.replicas: takes at least 0, not -1");
});

dynamicTest("customTimeouts that are no times are refused; that of a read is taken", async () => {
  const reading = stage.deployment("Vpc", "reading", { __timeouts: { read: "5m" } });
  expect(await reading.preview({ cidrBlock: "10.0.0.0/16" })).toBe("create");
  const vpc = stage.deployment("Vpc", "example", { __timeouts: { create: "soon", delete: "0s" } });
  await expect(vpc.preview({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(
    'customTimeouts.create: "soon" is not a time such as 90s, 20m or 1h30m\ncustomTimeouts.delete: "0s" is not more than 0',
  );
});

test("a data disk under 50 GB is warned of", async () => {
  const disks = { dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 20 }] };
  expect(await stage.deployment("NodePool").preview({ clusterId: unknown, native: { ...oneNode(unknown), ...disks } })).toBe("create");
  await expect.poll(runsOf(stage).warnings).toEqual(["native.dataDisks: 20 GB is small, at least 50 GB is recommended"]);
});

test("subnetCidrBlock takes an index from 0 to 255", () => {
  for (const index of [256, -1, 1.5, Number.NaN])
    expect(() => Ipv6Block.prototype.subnetCidrBlock(index)).toThrow(`subnetCidrBlock(${index}): a /56 has the /64s 0 to 255`);
});
