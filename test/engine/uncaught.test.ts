import { expect, test } from "vitest";
import { Stack } from "../support/stack.ts";

/** What a program does not catch is shown as a sentence, without a stack trace into this package. */

test.each([
  ['new Network("net", { zones: 2 });', { "container-platform:endpoint": "" }, /no endpoint/],
  ['await getCluster({ clusterId: "cls-00000000" });', {}, /getCluster: there is no cluster cls-00000000 in eu-frankfurt/],
  ["await getZones({ alll: true });", {}, /getZones: .*alll/],
])("%s", async (line, config, message) => {
  const program = `import { getCluster, getZones, Network } from "@container-platform/pulumi";\nexport const used = [getCluster, getZones, Network];\n${line}\n`;
  await using stack = await Stack.create({ program, config, programs: "language-host" });
  const { output } = await stack.fails("preview");
  expect(output).toMatch(message);
  expect(output).not.toMatch(/unhandled exception|^\s+at .*\.js:/m);
});
