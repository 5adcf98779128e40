/** Only the real engine runs `npm run up` in a clone whose stack reaches `cpcli serve` in the form of the public API, strictly by its models. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { World } from "@container-platform/sdk/local";
import { expect, onTestFinished, test } from "vitest";
import { Clone } from "../../support/clone.ts";
import { root } from "../../support/compiler.ts";
import { ServerProcess } from "../../support/server-process.ts";
import { StrictImitation } from "../../support/strict-imitation.ts";

const program = join(root, "sdk", "bin", "cpcli.cjs");

test("`npm run up`, an update, a refresh without a difference, and `npm run down` in the form of the public API", async () => {
  const clone = new Clone();
  onTestFinished(() => {
    clone.remove();
  });
  const file = join(clone.folder, "world.db");
  await using server = await ServerProcess.start([program, "serve", "--port", "0", "--time-scale", "instant", "--db", file]);
  await using imitation = await StrictImitation.before(server.address);
  const config = {
    "container-platform:region": "eu-frankfurt",
    "container-platform:endpoint": `public:${imitation.url}`,
    "container-platform:credentialProcess": `"${process.execPath}" "${program}" credentials --db "${file}"`,
  };
  const project = readFileSync(join(root, "Pulumi.yaml"), "utf8").replace(/^config:[^]*/m, "");
  writeFileSync(join(clone.folder, "Pulumi.yaml"), `${project}config: ${JSON.stringify(config)}\n`);
  const done = async (script: string, ...args: readonly string[]) => {
    const { code, output } = await clone.run(script, ...args);
    expect(code, `${script} ${args.join(" ")}: ${output}`).toBe(0);
    return output;
  };

  expect(await done("up.js")).not.toContain("warning");
  // A node more, and another sub-account in the place of one.
  await done("up.js", "--config", "platform:nodes=4", "--config", 'platform:auditors=["100000000004"]');
  await done("up.js", "--refresh", "--expect-no-changes");
  await done("down.js");

  console.log(`${imitation.called.size} operations called in the form of the public API`);
  expect([...imitation.misfits]).toEqual([]);
  const world = World.open(file);
  const left = ["vpcs", "subnets", "securityGroups", "clusters", "nodePools", "registries"].filter((table) =>
    world.prepare(`SELECT 1 FROM "${table}"`).get(),
  );
  world.close();
  expect(left).toEqual([]);
});
