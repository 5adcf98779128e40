import { CallRecord, Cloud, connect, type ConnectOptions, InputError, readProfile } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Home } from "../lifecycle/private-state.ts";

/** Names of the configuration, as in `pulumi config set container-platform:region eu-frankfurt`. */
export const namespace = "container-platform";

/** Where resources are managed, and with whose credentials. */
export interface Configuration {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly defaultTags: Readonly<Record<string, string>>;
  /** Calls of each product that may begin within a second. Unless configured, as many as the endpoint takes well. */
  readonly callsPerSecond: number | undefined;
  /** The file that each call is written into. Unless configured, none. */
  readonly record: string | undefined;
  /** What calls over HTTP are signed with, as far as the stack's configuration or the profile says so. */
  readonly access: Pick<ConnectOptions, "credentials" | "profile">;
}

/** A platform that was reached, and what is configured for every resource that is created there. */
export interface Connection {
  readonly cloud: Cloud;
  readonly home: Home;
  readonly defaultTags: Readonly<Record<string, string>>;
}

type Get = (key: string) => string | undefined;

/** What is configured: in the environment (`CONTAINER_PLATFORM_REGION` and so on), else in the stack or `Provider`, else in the profile. */
export async function configurationFrom(configured: Get, environment: NodeJS.ProcessEnv = process.env): Promise<Configuration> {
  const given: Get = (key) =>
    environment[`CONTAINER_PLATFORM_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`] ?? configured(key);
  const named = given("profile");
  const profile = await readProfile(named);
  return {
    endpoint: given("endpoint") ?? profile.endpoint,
    region: given("region") ?? profile.region,
    defaultTags: tagsFrom(given("defaultTags")),
    callsPerSecond: numberFrom("callsPerSecond", given("callsPerSecond")),
    record: given("record") || undefined,
    // Keys of the environment win over all of these: the SDK sees to it, and that they come from one place together.
    access: { credentials: credentialsIn(configured), profile: named },
  };
}

function credentialsIn(configured: Get): ConnectOptions["credentials"] {
  return {
    secretId: configured("secretId"),
    secretKey: configured("secretKey"),
    token: configured("token"),
    credentialProcess: configured("credentialProcess"),
  };
}

function numberFrom(key: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number >= 1) return number;
  throw new InputError(`${namespace}:${key} is ${text}; it takes a number from 1 on`);
}

function tagsFrom(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    throw new InputError(`${namespace}:defaultTags takes an object of texts, such as {"team": "platform"}`);
  }
}

/** Reaches the platform that is configured. */
export async function openConnection({
  endpoint,
  region,
  defaultTags,
  callsPerSecond,
  record,
  access,
}: Configuration): Promise<Connection> {
  const transport = await connect(endpoint, access);
  if (region === undefined || region === "")
    throw new InputError(`no region is configured: set ${namespace}:region or CONTAINER_PLATFORM_REGION, for example to eu-frankfurt`);
  const cloud = new Cloud({ transport, region, callsPerSecond, record: record === undefined ? undefined : new CallRecord(record) });
  return { cloud, home: { endpoint: endpoint ?? "", region, account: await cloud.account() }, defaultTags };
}
