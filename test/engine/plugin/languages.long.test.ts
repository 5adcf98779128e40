import { join } from "node:path";
import { TestStack } from "@container-platform/pulumi/testing";
import { expect, test, vi } from "vitest";
import { scratchOfFile } from "../../../sdk/src/scratch.fixture.ts";
import { type Example, goExample, pythonExample, typescriptExample, yamlExample } from "../../support/generated.ts";
import { root } from "../../support/compiler.ts";
import { hostEnvironment } from "../../support/hosts.ts";
import { Stack } from "../../support/stack.ts";

/** The platform of the examples in each language, with the SDK that Pulumi generates from the schema. */

const scratch = scratchOfFile();

const examples: Readonly<Record<string, () => Example>> = {
  YAML: yamlExample,
  Python: () => pythonExample(scratch),
  Go: goExample,
  TypeScript: typescriptExample,
};

/** An event log without the messages for debugging, into which Pulumi's SDK for Node writes what resources and functions answer. */
function withoutDebugging(log: string): string {
  const lines = log.split("\n");
  return lines.filter((line) => !line.includes('"severity":"debug"')).join("\n");
}

/** The password in the content of a pull secret, and the key in a kubeconfig. */
async function secretsOf(stack: Stack): Promise<string[]> {
  const shown = async (name: string) => (await stack.ok("stack", "output", name, "--show-secrets")).stdout;
  const found = [/"password":"([^"]+)"/.exec(await shown("pullSecret")), /client-key-data: (\S+)/.exec(await shown("kubeconfig"))];
  return found.flatMap((match) => match?.[1] ?? []);
}

test.for(Object.keys(examples))(
  "in %s it is made, found unchanged, changed, refreshed and destroyed, and components are made",
  { timeout: 1_200_000 },
  async (name) => {
    const { env, settings, into, components } = (examples[name] ?? yamlExample)();
    await using stack = await Stack.create({ program: "", programs: "language-host", env, seconds: 600 });
    into(stack);
    // With Pulumi's SDK for Node, these are the messages that show secrets.
    const debug = name === "TypeScript" ? [] : ["--debug"];
    const up = await stack.up(...debug);
    expect(up.output).toMatch(/\+ 19 created/);
    const outputs = (await stack.ok("stack", "output")).output;
    for (const secret of ["kubeconfig", "pullSecret"]) expect(outputs).toMatch(new RegExp(`${secret} +\\[secret\\]`));
    expect(outputs).toContain("platform-images-vpc.registry.container-platform.internal");
    const told = name === "TypeScript" ? withoutDebugging : (log: string) => log;
    const secrets = await secretsOf(stack);
    expect(secrets).toHaveLength(2);
    const again = await stack.preview("--expect-no-changes", ...debug);
    const refreshed = await stack.refresh("--expect-no-changes", ...debug);
    for (const { log, output } of [up, again, refreshed])
      for (const text of [told(log), output]) for (const secret of secrets) expect(text).not.toContain(secret);

    await stack.ok("config", "set", `${settings}:nodes`, "4");
    const changed = await stack.up();
    expect(changed.output).toMatch(/~ 1 updated\s+18 unchanged/);
    expect(await stack.resource("NodePool workers")).toMatchObject({ inputs: { native: { scaling: { minReplicas: 4, maxReplicas: 4 } } } });
    await stack.refresh("--expect-no-changes");
    await stack.preview("--expect-no-changes");
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});

    components(stack);
    await stack.up();
    const outcome = (await stack.ok("stack", "output")).output;
    expect(outcome).toMatch(/kubeconfig +\[secret\]/);
    expect(outcome).toMatch(/poolId +np-\w+/);
    const { inputs: { cidrBlock } = {} } = await stack.resource("Subnet main-nodes-eu-frankfurt-2");
    expect(cidrBlock).toBe("10.0.16.0/20");
    expect(await stack.resource("NodePool prod-apps")).toMatchObject({
      inputs: { labels: { vpc: (await stack.resource("Vpc main")).id } },
    });
    await stack.refresh("--expect-no-changes");
    await stack.preview("--expect-no-changes");
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  },
);

test("a TestStack deploys the folder of a program in YAML, with the plugin that this names from there", { timeout: 600_000 }, async () => {
  vi.stubEnv("PATH", hostEnvironment("yaml").PATH);
  try {
    await using stack = await TestStack.create(join(root, "examples", "yaml"));
    const { operations } = await stack.up();
    expect(operations).toMatchObject({ "Cluster platform": ["create"], "Token pull": ["create"] });
    expect(Object.keys(operations)).toHaveLength(15);
    expect((await stack.up({ expectNoChanges: true })).operations).toEqual({});
  } finally {
    vi.unstubAllEnvs();
  }
});
