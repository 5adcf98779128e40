import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as registry from "../../catalogue/registry.ts";
import { Cloud } from "../../client/client.ts";
import { LocalPlatform } from "../../local/platform.ts";
import { World } from "../../local/store/world.ts";
import { openImages } from "./open.ts";

export const region = "eu-frankfurt";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: unknown;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
}

/** Makes a request of an image client: the path begins at the registry, or is the address that an answer has told. */
export type Ask = (method: string, path: string, asked?: Asked) => Promise<Answer>;

export const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

export const sha256 = (bytes: Buffer | string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
export const sha512 = (bytes: Buffer | string) => `sha512:${createHash("sha512").update(bytes).digest("hex")}`;

/** Asks a registry, logged in as somebody or as nobody. */
export function askerAt(address: string, authorization?: string): Ask {
  return async (method, path, { headers = {}, body } = {}) => {
    const all = { ...(authorization !== undefined && { authorization }), ...headers };
    const sent = typeof body === "string" ? body : body && new Uint8Array(body);
    const response = await fetch(new URL(path, `http://${address}`), { method, headers: all, ...(sent !== undefined && { body: sent }) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = (response.headers.get("content-type") ?? "").includes("json") && bytes.length > 0;
    return { status: response.status, headers: response.headers, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined };
  };
}

export function contentFolder(): string {
  return mkdtempSync(join(tmpdir(), "registry-"));
}

/** Makes a registry that is open to this machine, with the private namespaces `team` and `other`. */
export async function makeRegistry(cloud: Cloud, registryName: string): Promise<string> {
  const { registryId } = await cloud.call(registry.createInstance, { registryName, registryType: "premium" });
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "127.0.0.1/32", description: "" });
  for (const namespaceName of ["team", "other"]) await cloud.call(registry.createNamespace, { registryId, namespaceName, isPublic: false });
  return registryId;
}

/** A world with a registry that is served to image clients, open to this machine, and has the private namespaces `team` and `other`. */
export async function openStage({
  folder = contentFolder(),
  world = World.open(":memory:", { timeScale: "instant", seed: "images" }),
} = {}) {
  const mistakes: unknown[] = [];
  const images = await openImages(world, { folder }, (mistake) => mistakes.push(mistake));
  const cloud = new Cloud({ transport: new LocalPlatform(world), region, retries: { attempts: 1, pause: 0, longest: 0 } });
  const make = (registryName: string) => makeRegistry(cloud, registryName);
  const addressOf = async (registryId: string) =>
    (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries[0]?.publicDomain ?? "";
  const registryId = await make("acme-images");
  const { username, token } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc: "" });
  const address = await addressOf(registryId);
  return {
    world,
    cloud,
    images,
    mistakes,
    folder,
    registryId,
    username,
    token,
    address,
    make,
    addressOf,
    ask: askerAt(address, basic(username, token)),
    close: async () => {
      await images[Symbol.asyncDispose]();
      world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same for a test, which closes it. */
export async function stageOfTest(given: Parameters<typeof openStage>[0] = {}): Promise<Stage> {
  const stage = await openStage(given);
  onTestFinished(() => stage.close());
  return stage;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
