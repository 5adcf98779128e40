import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deployment } from "../support/deployment.ts";
import { Host } from "../support/host.ts";

// `TESTED_SHELL=native node test/bench/start.ts`: prints how many milliseconds a new process of a shell takes until it has answered a check.

const folder = mkdtempSync(join(tmpdir(), "container-platform-start-"));
const config = { "container-platform:endpoint": `local:${join(folder, "world.db")}`, "container-platform:region": "eu-frankfurt" };
const begun = performance.now();
const host = await Host.start({ config, unhurried: true });
await new Deployment(host, "Vpc", "first").preview({ cidrBlock: "10.0.0.0/16" });
const time = performance.now() - begun;
await host[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
console.log(JSON.stringify(time));
