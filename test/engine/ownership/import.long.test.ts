import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describeSubnets, modifySubnetAttribute } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { root } from "../../support/compiler.ts";
import { makeSite } from "../../import/sites.ts";
import { Stack } from "../../support/stack.ts";

/** Seventeen are three clusters short of the limit of a region. */
const sites = isLong ? 17 : 2;
/** How long a run of the engine may take. */
const seconds = isLong ? 600 : 120;

/** The program that the command writes for the platform of a stack, which declares so many resources. */
async function importedFrom(stack: Stack, count: number, ...args: string[]): Promise<string> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const env = { PATH: process.env["PATH"], HOME: stack.folder };
  const place = ["--endpoint", `local:${stack.worldFile}`, "--region", "eu-frankfurt"];
  const child = spawn(process.execPath, [bin, ...place, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [program, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(`^container-platform-import: ${count} of ${count} resources in eu-frankfurt of .+ are declared\n$`),
  ]);
  return program;
}

test(
  `a program for the existing resources of ${sites} sites imports all of them, and changes only what differs`,
  { timeout: seconds * 4000 },
  async () => {
    await using stack = await Stack.create({ program: "", seconds });
    const site = { cloud: stack.cloud(), world: stack.world };
    let count = 0;
    for (let index = 0; index < sites; index++) count += (await makeSite(site, index)).length;
    const program = await importedFrom(stack, count);
    stack.write(program);
    const before = resourcesIn(stack);

    const { subnetSet } = await stack.cloud().call(describeSubnets, { filters: [{ name: "subnet-name", values: ["zone-2"] }] });
    const [{ subnetId } = { subnetId: "" }] = subnetSet;
    await stack.cloud().call(modifySubnetAttribute, { subnetId, subnetName: "moved" });
    const { events } = await stack.preview();
    const warnings = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "warning" ? [line.message] : []));
    expect(warnings.map((message) => message.replace(/<\{%.*?%\}>/g, "").trim())).toEqual([
      `${subnetId} is not as the program says, and is changed:\n  subnetName: "moved" becomes "zone-2"`,
    ]);

    const made = stack.calls().length;
    await stack.up();
    const writes = stack.writesSince(made);
    // What takes tags is given one that says whose it is now.
    const tagging = ["ModifyResourceTags", "ModifyClusterTags", "ModifyNodePool", "ModifyNamespace"];
    expect(writes.filter((action) => !tagging.includes(action))).toEqual(["ModifySubnetAttribute"]);
    const resources = await stack.resources();
    const ids = [...program.matchAll(/import: "([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(count);
    expect(resources.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(resources.flatMap(({ initErrors = [] }) => initErrors)).toEqual([]);

    await stack.preview("--expect-no-changes");
    stack.write(await importedFrom(stack, count, "--adopted"));
    await stack.up("--refresh", "--expect-no-changes");
    expect(resourcesIn(stack)).toEqual(before);
  },
);

/** How many rows each table has, without the certificates, of which every reader of a kubeconfig gets one. */
function resourcesIn(stack: Stack): object {
  const { clientCertificates: _certificates, ...others } = stack.leftovers();
  return others;
}
