import { Agent } from "node:http";
import { createRequire } from "node:module";
import { AbstractClient } from "tencentcloud-sdk-nodejs/tencentcloud/common/abstract_client.js";
import { CommonClient } from "tencentcloud-sdk-nodejs/tencentcloud/common/common_client.js";
import { z } from "zod";
import type { JsonObject } from "../../operation/codec.ts";

/** The vendor's own client for Node, as it is published: each version of a product has one, with a method for each operation. */

type Client = new (config: ConstructorParameters<typeof AbstractClient>[2]) => AbstractClient;

/** An operation as the vendor names it, such as `tke`, `CreateCluster` and `2018-05-25`. */
export interface VendorOperation {
  readonly service: string;
  readonly action: string;
  readonly version: string;
}

/** How that client reaches a platform, and as whom. */
export interface VendorAccess {
  /** The address of a served platform. */
  readonly url: string;
  readonly credentials: { readonly secretId: string; readonly secretKey: string; readonly token?: string | undefined };
  readonly region: string;
}

const load = createRequire(import.meta.url);
const answered = z.record(z.string(), z.json());

export function hasMethod({ service, action, version }: VendorOperation): boolean {
  const client = clientOf(service, version);
  return client !== undefined && typeof Reflect.get(client.prototype, action) === "function";
}

/**
 * Calls an operation by its method, and what has none as the vendor says for that: by its name. Each product has a host of its own, as in the public API: all of them lead to the one address.
 *
 * @throws the client's own error
 */
export async function calledByVendor(operation: VendorOperation, body: JsonObject, access: VendorAccess): Promise<JsonObject> {
  const { service, action, version } = operation;
  const { hostname, port } = new URL(access.url);
  const { secretId, secretKey, token = "" } = access.credentials;
  const agent = new Agent({
    lookup: (_host, { all }, found) => found(null, all === true ? [{ address: hostname, family: 4 }] : hostname, 4),
  });
  const httpProfile = { endpoint: `${service}.localhost:${port}`, protocol: "http://" as const, agent };
  const config = {
    credential: { secretId, secretKey, ...(token !== "" && { token }) },
    ...(access.region !== "" && { region: access.region }),
    profile: { httpProfile },
  };
  const own = clientOf(service, version);
  const client = own ? new own(config) : new CommonClient(`${service}.localhost`, version, config);
  const method: unknown = Reflect.get(client, action);
  const answer: unknown = await (typeof method === "function" ? Reflect.apply(method, client, [body]) : client.request(action, body));
  return answered.parse(answer);
}

function clientOf(service: string, version: string): Client | undefined {
  const folder = `tencentcloud-sdk-nodejs/tencentcloud/services/${service}/v${version.replaceAll("-", "")}`;
  try {
    const module: unknown = load(`${folder}/${service}_client.js`);
    const found: unknown = typeof module === "object" && module !== null ? Reflect.get(module, "Client") : undefined;
    return isClient(found) ? found : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function isClient(value: unknown): value is Client {
  return typeof value === "function" && value.prototype instanceof AbstractClient;
}
