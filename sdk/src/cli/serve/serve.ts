import { once } from "node:events";
import { resolve } from "node:path";
import { timeScaleNamed, timeScales } from "../../local/time-scale.ts";
import { isDiskFull } from "../../local/store/full-disk.ts";
import { WorldFileError } from "../../local/store/sqlite.ts";
import { World } from "../../local/store/world.ts";
import { isLoopback, serve } from "../../server/server.ts";
import { UsageError } from "../run/failures.ts";
import type { ServedPort } from "../../images/ports.ts";
import { print, tell } from "../output/print.ts";
import { commandOf } from "../command/usage.ts";
import { worldFile, worldOption } from "./world-file.ts";

const options = {
  port: { value: "PORT", summary: "Port to listen on; one that is free unless given." },
  host: { value: "HOST", summary: "Address to listen on; 127.0.0.1, which only this machine reaches, unless given." },
  world: worldOption,
  pace: {
    value: "PACE",
    values: timeScales,
    summary: `How fast states change: ${timeScales.join(", ")}. A new world is fast unless given.`,
  },
  registry: {
    summary: "Serves registries to image clients: they push and pull at ports of this machine, which are printed to the error output.",
  },
  kubernetes: {
    summary:
      "Serves clusters to Kubernetes' clients, as kubectl: a control plane for each that is used. The first time, it is built, for minutes.",
  },
  "kubernetes-program": {
    value: "FILE",
    summary: "The program that runs control planes; the one of the PATH, or one that is built, unless given. It implies --kubernetes.",
  },
  seed: { value: "TEXT", summary: "What ids of a new world are drawn from; random unless given." },
} as const;

/** `cpcli serve`: prints its address in a line, and runs until it is stopped. */
export const runServe = commandOf({ name: "serve", options }, async ({ given }, session) => {
  session.leaveInterrupts();
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const port = portFrom(given.port ?? "0");
  const timeScale = given.pace === undefined ? undefined : timeScaleNamed(given.pace, "--pace");
  const world = World.open(worldFile(given.world), {
    ...(timeScale && { pace: timeScale }),
    ...(given.seed !== undefined && { seed: given.seed }),
  });
  try {
    if (timeScale && world.pace !== timeScale) await world.transaction(() => world.setPace(timeScale));
    const images = given.registry && { told: tellPort };
    const window = isLoopback(given.host ?? "127.0.0.1");
    const program = given["kubernetes-program"];
    const kubernetes = (given.kubernetes === true || program !== undefined) && {
      told: tellLine,
      ...(program !== undefined && { program: resolve(program) }),
    };
    await using server = await serve(world, {
      port,
      ...(given.host !== undefined && { host: given.host }),
      ...(images && { images }),
      window,
      ...(kubernetes && { kubernetes }),
      report,
    });
    tell(server.window === undefined ? "window: none, as other machines reach this server\n" : `window: ${server.window}\n`);
    print(`${server.url}\n`);
    await stopped;
  } finally {
    world.close();
  }
});

function portFrom(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port is ${text}; it takes 0 to 65535`);
  return port;
}

function tellPort({ registryName, standpoint, address }: ServedPort): void {
  tell(`registry ${registryName}, from ${standpoint === "internet" ? "the internet" : standpoint}: ${address}\n`);
}

function tellLine(line: string): void {
  tell(`${line}\n`);
}

function report(mistake: unknown): void {
  if (isDiskFull(mistake)) {
    tell(`cpcli: the disk is full: ${mistake instanceof Error ? mistake.message : String(mistake)}; make room\n`);
    return;
  }
  if (mistake instanceof WorldFileError) {
    tell(`cpcli: ${mistake.message}\n`);
    return;
  }
  tell(`cpcli: the platform made a mistake: ${mistake instanceof Error ? (mistake.stack ?? mistake.message) : String(mistake)}\n`);
}
