import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { root } from "../../support/compiler.ts";

/** Pulumi's own check of the plugin's schema, as its registry and `pulumi package add` make it. */
test("Pulumi takes the schema that the plugin tells without a warning", () => {
  const home = mkdtempSync(join(tmpdir(), "container-platform-schema-"));
  try {
    const env = {
      ...process.env,
      PULUMI_HOME: home,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
    const plugin = join(root, "plugin", "pulumi-resource-container-platform");
    const { status, stdout, stderr } = spawnSync("pulumi", ["package", "get-schema", plugin], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const schema: unknown = JSON.parse(stdout);
    for (const kind of kinds) expect(schema).toHaveProperty(["resources", nativeToken(kind)]);
    for (const component of ["Network", "Platform"])
      expect(schema).toHaveProperty(["resources", nativeToken(component), "isComponent"], true);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
