import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { onTestFinished } from "vitest";
import { Kubectl } from "./kubectl.ts";
import { siteIn } from "./site.ts";

/** A world in a file, with a VPC, and what tests make there. */
export async function makeWorld() {
  const folder = mkdtempSync(join(tmpdir(), "clusters-"));
  const world = World.open(join(folder, "world.db"), { pace: "instant", seed: "clusters" });
  onTestFinished(() => {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const site = await siteIn(world);
  const as = async (clusterId: string, uin?: string) =>
    new Kubectl(await site.kubeconfigOf(clusterId, { ...(uin !== undefined && { uin }) }));
  return { world, folder, ...site, as };
}

/** The same, served in this process. */
export async function serveWorld({ idle }: { idle?: number } = {}) {
  const made = await makeWorld();
  const lines: string[] = [];
  const mistakes: unknown[] = [];
  const start = () =>
    serve(made.world, {
      kubernetes: { told: (line) => lines.push(line), ...(idle !== undefined && { idle }) },
      report: (mistake) => mistakes.push(mistake),
    });
  const server = await start();
  onTestFinished(() => server.close());
  return { ...made, server, start, lines, mistakes };
}
