import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../local/store/world.ts";
import { RegistryPorts, type ServedPort } from "./ports.ts";
import { ImageRegistry } from "./registry.ts";
import { sweep } from "./store/sweep.ts";

const sweepEvery = 10 * 60 * 1000;

export interface ImagesOptions {
  /** Where the content of images is kept; beside the world's file unless given. That of a world without a file goes with the process. */
  readonly folder?: string;
  /** Is called with each port that opens. */
  readonly told?: (port: ServedPort) => void;
}

/** The registries of a world, as they are served. */
export interface ServedImages extends AsyncDisposable {
  readonly registry: ImageRegistry;
  readonly ports: RegistryPorts;
}

/** Serves the registries of a world to image clients, each at ports of its own. */
export async function openImages(world: World, options: ImagesOptions, report: (mistake: unknown) => void): Promise<ServedImages> {
  const isTemporary = options.folder === undefined && world.file === ":memory:";
  const folder = options.folder ?? (isTemporary ? mkdtempSync(join(tmpdir(), "images-")) : `${world.file}-images`);
  const registry = new ImageRegistry(world, folder, report);
  const { content, uploads } = registry.counter;
  const ports = await RegistryPorts.open(world, registry, options.told ?? (() => undefined));
  let sweeping = sweep(world, content, uploads).catch(report);
  const timer = setInterval(() => {
    sweeping = sweep(world, content, uploads).catch(report);
  }, sweepEvery).unref();
  return {
    registry,
    ports,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await ports[Symbol.asyncDispose]();
      await sweeping;
      if (isTemporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}
