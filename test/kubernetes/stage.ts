import { join } from "node:path";
import { World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { expect, onTestFinished } from "vitest";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { Kubectl } from "./kubectl.ts";
import { siteIn } from "./site.ts";

export async function makeWorld() {
  const folder = scratch();
  const world = World.open(join(folder, "world.db"), { timeScale: "instant", seed: "clusters" });
  onTestFinished(() => world.close());
  const site = await siteIn(world);
  const as = async (clusterId: string, uin = world.account) => new Kubectl(await site.kubeconfigOf(clusterId, { uin }));
  return { world, folder, ...site, as };
}

/** The same, with its registries and clusters served in this process, which makes no mistakes. */
export async function serveWorld({ idle }: { idle?: number } = {}) {
  const made = await makeWorld();
  const lines: string[] = [];
  const mistakes: unknown[] = [];
  const start = () =>
    serve(made.world, {
      images: {},
      kubernetes: { told: (line) => lines.push(line), ...(idle !== undefined && { idle }) },
      report: (mistake) => mistakes.push(mistake),
    });
  const server = await start();
  onTestFinished(async () => {
    await server.close();
    expect(mistakes).toEqual([]);
  });
  return { ...made, server, start, lines };
}
