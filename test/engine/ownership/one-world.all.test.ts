/** Only the real engine shows which world each of two stacks has opened, and what both know of it. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

/** A stack of this machine that calls a local world by its file knows what a stack knows that calls it `local`. */

const registry = `
import { Namespace, RegistryInstance, Repository } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "acme-images" });
const { namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
`;
const repository = `new Repository("web", { registryId, namespaceName, repositoryName: "web" });\n`;

test("what takes no tags, and another stack has imported, stays when the first one takes it out, however both spell the world", async () => {
  const home = mkdtempSync(join(tmpdir(), "container-platform-home-"));
  const env = { XDG_STATE_HOME: home };
  try {
    await using first = await Stack.create({ program: registry + repository, env });
    await first.up();
    const { id = "" } = await first.resource("Repository web");
    const [registryId, namespaceName, repositoryName] = id.split("/");
    await using second = await Stack.create({
      program: `
import { Repository } from "@container-platform/pulumi";
new Repository("copy", ${JSON.stringify({ registryId, namespaceName, repositoryName })}, { import: "${id}" });
`,
      config: { "container-platform:endpoint": `local:${first.worldFile}` },
      env,
    });
    await second.up();

    first.write(registry);
    const calls = first.calls().length;
    const { output } = await first.up();
    expect(output).toContain(`${id} is not deleted: on this machine, another resource has imported it`);
    expect(first.writesSince(calls)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
