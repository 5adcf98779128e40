import { readFileSync, rmSync, mkdtempSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { parse } from "yaml";
import { z } from "zod";
import { siteIn } from "../kubernetes/site.ts";
import { processesWith } from "../support/processes.ts";
import { type Figure, repeated } from "./figure.ts";

const form = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ server: z.string(), "tls-server-name": z.string(), "certificate-authority-data": z.string() }) }),
  ]),
  users: z.tuple([z.object({ user: z.object({ "client-certificate-data": z.string(), "client-key-data": z.string() }) })]),
});

/** A served cluster: how long its first request takes, and the memory of its process. What it runs is built first if it is not yet. */
export async function kubernetes(): Promise<Figure[]> {
  const rounds = await repeated(round, 3);
  return [
    { name: "first response of a new cluster, in seconds", atMost: 6, measured: rounds.map(({ first }) => first) },
    { name: "first response of a stopped cluster, in seconds", atMost: 6, measured: rounds.map(({ again }) => again) },
    { name: "memory of a control plane after its first response, in MB", measured: rounds.map(({ memory }) => memory) },
    { name: "stop of a server with a cluster, in seconds", atMost: 6, measured: rounds.map(({ end }) => end) },
  ];
}

async function round() {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const world = World.open(join(folder, "world.db"), { timeScale: "instant", seed: "bench" });
  try {
    const { cluster, kubeconfigOf } = await siteIn(world);
    const clusterId = await cluster();
    const before = await serve(world, { kubernetes: {} });
    const kubeconfig = await kubeconfigOf(clusterId);
    const first = await secondsOf(() => answered(kubeconfig));
    const memory = await memoryOf(folder);
    const end = await secondsOf(() => before.close());
    await using after = await serve(world, { kubernetes: {} });
    const again = await secondsOf(() => answered(kubeconfig));
    await after.close();
    return { first, again, memory, end };
  } finally {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Asks a cluster for its namespaces. */
async function answered(kubeconfig: string): Promise<void> {
  const {
    clusters: [{ cluster }],
    users: [{ user }],
  } = form.parse(parse(kubeconfig));
  const bytes = (text: string) => Buffer.from(text, "base64");
  const options = {
    ca: bytes(cluster["certificate-authority-data"]),
    cert: bytes(user["client-certificate-data"]),
    key: bytes(user["client-key-data"]),
    servername: cluster["tls-server-name"],
    agent: false,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${cluster.server}/api/v1/namespaces`, options, resolve).on("error", reject);
  });
  z.object({ items: z.array(z.object({})) }).parse(JSON.parse(await text(answer)));
}

async function memoryOf(folder: string): Promise<number> {
  const [plane] = await processesWith(folder);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${plane?.pid ?? "none"}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
