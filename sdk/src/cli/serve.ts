import { once } from "node:events";
import { resolve } from "node:path";
import { isDiskFull, WorldFileError } from "../local/store/sqlite.ts";
import { World } from "../local/store/world.ts";
import { timeScaleNamed, timeScales } from "../local/time.ts";
import { isLoopback, serve, type ServedPort } from "../server/server.ts";
import { commandOf } from "./command.ts";
import { print, tell, UsageError } from "./run.ts";
import { databaseFile, databaseOption } from "./credentials.ts";

const options = {
  port: { value: "PORT", summary: "Port to listen on. Default: any free port." },
  host: { value: "HOST", summary: "Address to listen on. Default: 127.0.0.1, which only this machine reaches." },
  db: databaseOption,
  "time-scale": {
    value: "TIME-SCALE",
    values: timeScales,
    summary: `Time scale: ${timeScales.join(", ")}. Default: fast for a new database, unchanged for an existing one.`,
  },
  registry: {
    summary: "Serves the registries to image clients, on ports of this machine that are printed to stderr.",
  },
  kubernetes: {
    summary: "Serves the clusters to Kubernetes clients such as kubectl. The first use builds the control plane: some minutes.",
  },
  "kubernetes-program": {
    value: "FILE",
    summary: "Program of the control planes. Default: the one on the PATH, or one that is built. Implies --kubernetes.",
  },
  seed: { value: "TEXT", summary: "Seed of the IDs, addresses and keys of a new database. Default: random." },
} as const;

/** `cpcli serve`: prints its address in a line, and runs until it is stopped. */
export const runServe = commandOf({ name: "serve", options }, async ({ given }, session) => {
  session.leaveInterrupts();
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const port = portFrom(given.port ?? "0");
  const { "time-scale": named } = given;
  const timeScale = named === undefined ? undefined : timeScaleNamed(named, "--time-scale");
  const world = World.open(databaseFile(given.db), {
    ...(timeScale && { timeScale }),
    ...(given.seed !== undefined && { seed: given.seed }),
  });
  try {
    if (timeScale && world.timeScale !== timeScale) await world.transaction(() => world.setTimeScale(timeScale));
    const images = given.registry && { told: tellPort };
    const dashboard = isLoopback(given.host ?? "127.0.0.1");
    const program = given["kubernetes-program"];
    const kubernetes = (given.kubernetes === true || program !== undefined) && {
      told: (line: string) => tell(`${line}\n`),
      ...(program !== undefined && { program: resolve(program) }),
    };
    await using server = await serve(world, {
      port,
      ...(given.host !== undefined && { host: given.host }),
      ...(images && { images }),
      dashboard,
      ...(kubernetes && { kubernetes }),
      report,
    });
    tell(
      server.dashboardUrl === undefined ? "dashboard: none, as other machines reach this server\n" : `dashboard: ${server.dashboardUrl}\n`,
    );
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

function report(mistake: unknown): void {
  const message = mistake instanceof Error ? mistake.message : String(mistake);
  if (isDiskFull(mistake)) tell(`cpcli: the disk is full: ${message}; make room\n`);
  else if (mistake instanceof WorldFileError) tell(`cpcli: ${message}\n`);
  else tell(`cpcli: the platform made a mistake: ${mistake instanceof Error ? (mistake.stack ?? message) : message}\n`);
}
