/** Only the real engine gives a provider its ID, and saves it before the first creation. */

import { hash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describeVpcs } from "@container-platform/sdk/vpc";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { scratchOfFile } from "../../../sdk/src/scratch.fixture.ts";
import { nativeClasses } from "../../support/native-classes.ts";
import { Stack } from "../../support/stack.ts";
import { engineFolder } from "../killed-runs.ts";
import { dynamic, native } from "../plugin/plugin-stack.ts";

const folder = scratchOfFile();
/** The provider does not recognize this engine among the processes above it, but runs the `pulumi` on the PATH, which records its commands. */
beforeAll(() => {
  copyFileSync(join(engineFolder(), "pulumi"), join(folder, "engine"));
  const script = `#!/bin/sh\necho "$1 $2" >> "$HOME/commands"\nexec ${join(folder, "engine")} "$@"\n`;
  writeFileSync(join(folder, "pulumi"), script, { mode: 0o755 });
});

const program = (classes: string) => `
import { Provider, Vpc } from "${classes}";
new Vpc("net", { cidrBlock: "10.0.0.0/16" });
`;
const more = `
const provider = new Provider("other", { endpoint: "local", region: "eu-frankfurt" });
new Vpc("far", { cidrBlock: "10.1.0.0/16" }, { provider });
`;
const resource = z.object({ id: z.string().optional(), provider: z.string().optional() });
const exported = z.object({ deployment: z.object({ resources: z.array(resource) }) });

// The last export is the one before the resources are confirmed.
test.each([
  [dynamic, 2],
  [native, 1],
])(
  "%s: a first update exports the state %i times, an unchanged one and previews never; tags have their providers' marks",
  async (classes, count) => {
    const env = { PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
    await using stack = await Stack.create({ program: program(classes), plugin: true, env });
    writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
    const exports = () => readFileSync(join(stack.folder, "commands"), "utf8").match(/^stack export$/gm)?.length ?? 0;
    await stack.preview();
    expect(exports()).toBe(0);
    await stack.up();
    expect(exports()).toBe(count);
    await stack.preview("--refresh");
    await stack.up();
    expect(exports()).toBe(count);

    stack.write(program(classes) + more);
    await stack.up();
    const { resources } = exported.parse(JSON.parse(await stack.exported())).deployment;
    const expected = resources.flatMap(({ id, provider }) => {
      const providerId = provider?.split("::").at(-1);
      return providerId === undefined ? [] : [[id, `throw-away/test.${hash("sha256", providerId).slice(0, 8)}`] as const];
    });
    const { vpcSet } = await stack.cloud().call(describeVpcs, {});
    const tags = vpcSet.map(({ vpcId, tagSet }) => [vpcId, tagSet.find(({ key }) => key === "container-platform/stack")?.value] as const);
    expect(new Map(tags)).toEqual(new Map(expected));
    expect(new Set(tags.map(([, tag]) => tag)).size).toBe(2);
  },
);
