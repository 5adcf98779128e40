import { ServedFolder } from "../local/store/served-folder.ts";
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
  readonly held: ServedFolder;
}

/**
 * Serves the registries of a world to image clients, each at ports of its own.
 *
 * @throws ConfigurationError if another server does.
 */
export async function openImages(world: World, options: ImagesOptions, report: (mistake: unknown) => void): Promise<ServedImages> {
  const held = ServedFolder.take(world, { kind: "images", what: "registries", folder: options.folder });
  try {
    return await openIn(held, world, options, report);
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}

async function openIn(held: ServedFolder, world: World, options: ImagesOptions, report: (mistake: unknown) => void): Promise<ServedImages> {
  const registry = new ImageRegistry(world, held.folder, report);
  const { content, uploads } = registry.counter;
  const ports = await RegistryPorts.open(world, registry, options.told ?? (() => undefined));
  let sweeping = sweep(world, content, uploads).catch(report);
  const timer = setInterval(() => {
    sweeping = sweep(world, content, uploads).catch(report);
  }, sweepEvery).unref();
  return {
    registry,
    ports,
    held,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await ports[Symbol.asyncDispose]();
      await sweeping;
      held[Symbol.dispose]();
    },
  };
}
