/** Only the real engine with its language host shows what a program does not catch: as a sentence, without a stack trace into this package. */
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

const platform = (more: string) =>
  `const made = new Platform("prod", { ${more} nodePools: { apps: { instanceTypes: ["SA5.MEDIUM4"] } } }); export const { kubeconfig } = made;`;

test.each<[line: string, config: Readonly<Record<string, string>>, message: RegExp]>([
  [
    `new Network("net", { zones: 2 });`,
    { "container-platform:endpoint": "" },
    /no endpoint is configured: set container-platform:endpoint/,
  ],
  [platform("network: { zones: 9 },"), {}, /network\.zones: 9 are asked for/],
  ['await getCluster({ clusterId: "cls-00000000" });', {}, /getCluster: there is no cluster cls-00000000 in eu-frankfurt/],
])("%s", async (line, config, message) => {
  const program = `import { getCluster, Network, Platform } from "@container-platform/pulumi";\nexport const used = [getCluster, Network, Platform];\n${line}\n`;
  await using stack = await Stack.create({ program, config, programs: "language-host" });
  const { output } = await stack.fails("preview");
  expect(output).toMatch(message);
  expect(output).not.toMatch(/unhandled exception|^\s+at .*\.js:|serializing|Warning/m);
  const [, diagnostics = ""] = output.split("Diagnostics:");
  expect(diagnostics.split("\n").filter((said) => message.test(said))).toHaveLength(1);
});
