import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { World } from "./world.ts";

/** The path of a world's file, which is not there yet. Its folder, which has nothing else, goes with the test. */
export function worldFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "world-"));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  return join(folder, "world.db");
}

/** A world that is closed with the test. */
export function opened(...given: Parameters<typeof World.open>): World {
  const world = World.open(...given);
  onTestFinished(() => world.close());
  return world;
}
