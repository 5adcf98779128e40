/** Only the real engine runs `npm run up` in a clone whose stack reaches `cpcli serve` in the form of the public API, strictly by its models. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { World } from "@container-platform/sdk/local";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../support/compiler.ts";
import { quickEngine } from "../../support/stack.ts";
import { StrictImitation } from "../../support/strict-imitation.ts";

const kept = Object.entries(process.env).filter(([key]) => !/^(PULUMI|CONTAINER_PLATFORM)_/.test(key));

/** A clone with the project's program, and settings of its own over the project's. */
function newClone(settings: Readonly<Record<string, string>>): string {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-public-")));
  onTestFinished(() => {
    rmSync(clone, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const part of ["scripts", "package.json", "examples"]) cpSync(join(root, part), join(clone, part), { recursive: true });
  for (const part of ["node_modules", "provider"]) symlinkSync(join(root, part), join(clone, part));
  const project = readFileSync(join(root, "Pulumi.yaml"), "utf8").replace(/^config:[^]*/m, "");
  const config = Object.entries({ "container-platform:region": "eu-frankfurt", ...settings });
  writeFileSync(join(clone, "Pulumi.yaml"), `${project}config: ${JSON.stringify(Object.fromEntries(config))}\n`);
  return clone;
}

/** Runs a script of a clone, which has to succeed. */
async function done(clone: string, script: string, ...args: readonly string[]): Promise<string> {
  const env = { ...Object.fromEntries(kept), CONTAINER_PLATFORM_SET_UP: clone, ...quickEngine };
  const child = spawn(process.execPath, [join(clone, "scripts", script), ...args], { cwd: clone, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(code, `${script} ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** Serves the world of a file, and answers the address. */
async function served(file: string): Promise<string> {
  const program = join(root, "sdk", "bin", "cpcli.cjs");
  const server = spawn(process.execPath, [program, "serve", "--port", "0", "--time-scale", "instant", "--db", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    server.kill();
    await once(server, "exit");
  });
  const [line]: unknown[] = await once(server.stdout, "data");
  return String(line).trim();
}

test("`npm run up`, an update, a refresh without a difference, and `npm run down` in the form of the public API", async () => {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-world-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "world.db");
  await using imitation = await StrictImitation.before(await served(file));
  const program = join(root, "sdk", "bin", "cpcli.cjs");
  const clone = newClone({
    "container-platform:endpoint": `public:${imitation.url}`,
    "container-platform:credentialProcess": `"${process.execPath}" "${program}" credentials --db "${file}"`,
  });

  expect(await done(clone, "up.js")).not.toContain("warning");
  // A node more, and another sub-account in the place of one.
  await done(clone, "up.js", "--config", "platform:nodes=4", "--config", 'platform:auditors=["100000000004"]');
  await done(clone, "up.js", "--refresh", "--expect-no-changes");
  await done(clone, "down.js");

  console.log(`${imitation.called.size} operations called in the form of the public API`);
  expect([...imitation.misfits]).toEqual([]);
  const world = World.open(file);
  const left = ["vpcs", "subnets", "securityGroups", "clusters", "nodePools", "registries"].filter((table) =>
    world.prepare(`SELECT 1 FROM "${table}"`).get(),
  );
  world.close();
  expect(left).toEqual([]);
});
