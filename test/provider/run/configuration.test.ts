import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessKeyOf, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { ProviderError } from "../../../provider/src/definition/codes.ts";
import { refuseOtherHome } from "../../../provider/src/lifecycle/home.ts";
import { configurationFrom, openConnection } from "../../../provider/src/runtime/configuration.ts";
import { scratchOfFile } from "../../../sdk/src/scratch.fixture.ts";
import { Deployment } from "../../support/deployment.ts";
import { Host } from "../../support/host.ts";
import { ProviderHere } from "../../support/provider-here.ts";

/** What a provider is configured with, by the stack, a `Provider` and the environment; and what it says where that is wrong. */

type Config = Readonly<Record<string, string>>;

const folder = scratchOfFile();
// The profile of the user who runs the tests does not count.
vi.stubEnv("HOME", folder);
afterAll(() => {
  vi.unstubAllEnvs();
});

const file = (name: string): string => join(folder, name);
World.open(file("good.db"), { timeScale: "instant", seed: "configuration" }).close();
const newer = World.open(file("newer.db"), { timeScale: "instant", seed: "configuration" });
newer.prepare("UPDATE clock SET version = 99").run();
newer.close();
writeFileSync(file("garbage.db"), "this is not a world, and long enough that nobody could take it for one".repeat(100));

const good = { endpoint: `local:${file("good.db")}`, region: "eu-frankfurt" };
const args = { cidrBlock: "10.0.0.0/16" };
const noEndpoint = /^somewhere is no endpoint that this version reaches: use local /;
const inProvider = (...given: readonly string[]) => ({ provider: JSON.stringify({ name: "singapore", given }) });

/** What a provider works with that is configured so. */
async function connected(config: Config, environment: Config = {}) {
  return openConnection(await configurationFrom((key) => config[key], environment));
}

/** The same in a process of its own. */
function start(config: Config, environment: Record<string, string> = {}): Promise<Host> {
  const namespaced = Object.entries(config).map(([key, value]) => [`container-platform:${key}`, value]);
  return Host.start({ config: Object.fromEntries(namespaced), environment });
}

const wrong: readonly (readonly [of: string, config: Config, says: RegExp])[] = [
  [
    "no endpoint",
    { region: "eu-frankfurt" },
    /^no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to local .*, local:<file>, the http:\/\/ or https:\/\/ address of a platform, public \(the public API\), or cli:<program> \(.*\)$/,
  ],
  ["an empty endpoint", { ...good, endpoint: "" }, /^no endpoint is configured/],
  ["an endpoint that is none", { ...good, endpoint: "somewhere" }, noEndpoint],
  [
    "no region",
    { endpoint: good.endpoint },
    /^no region is configured: set container-platform:region or CONTAINER_PLATFORM_REGION, for example to eu-frankfurt$/,
  ],
  [
    "a world of a newer version",
    { ...good, endpoint: `local:${file("newer.db")}` },
    /newer\.db is of a newer version of this library \(layout 99, .*use that version, or remove the file/,
  ],
  [
    "a world that cannot be read",
    { ...good, endpoint: `local:${file("garbage.db")}` },
    /garbage\.db cannot be read \(.*\): remove the file to begin anew, or name another/,
  ],
  [
    "half of the credentials",
    { ...good, endpoint: "http://127.0.0.1:1", secretKey: "hush" },
    /^the configuration has a secretKey, but no secretId: calls are signed with both$/,
  ],
  [
    "tags that are none",
    { ...good, defaultTags: "team" },
    /^container-platform:defaultTags takes an object of texts, such as \{"team": "platform"\}$/,
  ],
  ["a limit that is none", { ...good, callsPerSecond: "0" }, /^container-platform:callsPerSecond is 0; it takes a number from 1 on$/],
  [
    "a wrong limit of a Provider",
    { ...good, callsPerSecond: "0", ...inProvider("callsPerSecond") },
    /^callsPerSecond of the Provider singapore is 0; it takes/,
  ],
  [
    "a Provider without a region",
    { endpoint: good.endpoint, ...inProvider("endpoint") },
    /^the Provider singapore has no region: give it one, for example region: "eu-frankfurt"$/,
  ],
  [
    "a Provider without an endpoint",
    { region: good.region, ...inProvider("region") },
    /^the Provider singapore has no endpoint, and none is configured: give it one, or set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT$/,
  ],
];

test.each(wrong)("%s is refused with a clear sentence", async (_, config, says) => {
  await expect(connected(config)).rejects.toThrow(says);
});

const emptySays = (part: string) =>
  `is set in the environment, and empty: give it a value, or unset it to use the stack's container-platform:${part}`;
test.each([
  ["CALLS_PER_SECOND", "0", "is 0"],
  ["DEFAULT_TAGS", "0", "takes an object"],
  ["ENDPOINT", "", emptySays("endpoint")],
  ["REGION", "", emptySays("region")],
])("CONTAINER_PLATFORM_%s is named if its value is %j, which is wrong", async (name, value, says) => {
  const variable = `CONTAINER_PLATFORM_${name}`;
  await expect(connected(good, { [variable]: value })).rejects.toThrow(`${variable} ${says}`);
});

test("every request to a process that is configured wrongly is refused with that sentence, and without a stack trace", async () => {
  await using host = await start({ ...good, endpoint: "somewhere" });
  const vpc = (): Deployment => new Deployment(host, "Vpc", "example");
  await expect(vpc().preview(args)).rejects.toThrow(noEndpoint);
  await expect(vpc().get("vpc-1")).rejects.toThrow(noEndpoint);
  expect(host.printed.join("")).not.toMatch(/\n\s+at /);
});

test("a platform is reached over HTTP with a key of the stack's configuration", async () => {
  const world = World.open(":memory:", { timeScale: "instant", seed: "configuration" });
  const server = await serve(world);
  const { secretId, secretKey } = accessKeyOf(world);
  {
    await using host = await start({ ...good, endpoint: server.url, secretId, secretKey });
    await using one = new Deployment(host, "Vpc", "example");
    await one.up(args);
    expect(one.state?.outputs).toMatchObject({ __home: { endpoint: server.url, account: world.account } });
    expect(JSON.stringify(one.state)).not.toContain(secretKey);
    await one.refresh();
    expect(await one.preview(args)).toBe("nothing");
  }
  await expect(connected({ ...good, endpoint: server.url, secretId, secretKey: "wrong" })).rejects.toThrow("AuthFailure.SignatureFailure");
  await server.close();
  world.close();
});

const moved: readonly (readonly [part: "endpoint" | "region", there: string, says: string])[] = [
  [
    "endpoint",
    `local:${file("other.db")}`,
    `this Vpc was created in endpoint ${good.endpoint}, but this update uses local:${file("other.db")}: `,
  ],
  ["region", "ap-singapore", "this Vpc was created in region eu-frankfurt, but this update uses ap-singapore: "],
  [
    "region",
    "eu-frankfrut",
    "this Vpc was created in region eu-frankfurt, but this update uses eu-frankfrut, which is not one of its regions (eu-frankfurt, ap-singapore and na-ashburn): ",
  ],
];

test.each(moved)("a stack that is run against another %s, %s, is refused with what to do", async (part, there, says) => {
  const { home } = await connected(good);
  const variable = `CONTAINER_PLATFORM_${part.toUpperCase()}`;
  for (const [abroad, remedy] of [
    [await connected({ ...good, [part]: there }), `set container-platform:${part} back and run \`pulumi up\`, or use another stack`],
    [await connected(good, { [variable]: there }), `that is from ${variable}: unset it, or use another stack`],
  ] as const)
    expect(() => {
      refuseOtherHome("Vpc", abroad, home);
    }).toThrow(new ProviderError("WrongTarget", says + remedy));
});

test.each([
  ["endpoint", 'set endpoint: "there" on the Provider, or set container-platform:endpoint back, and run `pulumi up`. If the resource'],
  ["region", 'set region: "there" on the Provider and run `pulumi up`. If the resource is no longer in the program, put it and'],
  ["account", 'its Provider "singapore" uses 1: use that account\'s keys'],
] as const)("a resource of a Provider that was created in another %s is refused with what to do", (part, remedy) => {
  const home = { endpoint: "https://platform", region: "abroad", account: "1" };
  const here = { home, provider: "singapore", fromEnvironment: [] };
  const refusal = () => {
    refuseOtherHome("Vpc", here, { ...home, [part]: "there" });
  };
  expect(refusal).toThrow(`this Vpc was created in ${part} there, but its Provider "singapore" uses ${home[part]}: `);
  expect(refusal).toThrow(remedy);
  expect(refusal).not.toThrow(/which is not one of its regions|or use another stack/);
  // Not every endpoint reports the account.
  refuseOtherHome("Vpc", { ...here, home: { ...home, account: "" } }, home);
});

/** A VPC that one provider has made, and the same as another provider has it, which works in a region. */
async function withVpc(region = good.region) {
  const world = World.open(":memory:", { timeScale: "instant", seed: "configuration" });
  onTestFinished(() => {
    world.close();
  });
  const one = new Deployment(new ProviderHere(world, good.region), "Vpc", "example");
  await one.up(args);
  const there = new Deployment(new ProviderHere(world, region), "Vpc", "example");
  there.state = one.state;
  const inAccount = (account: string): void => {
    if (!one.state) throw new Error("it is not deployed");
    const { __home: home, ...outputs } = one.state.outputs;
    there.state = { ...one.state, outputs: { ...outputs, __home: { ...Object(home), account } } };
  };
  return { there, inAccount, calls: () => world.prepare("SELECT 1 FROM audit").all().length };
}

test("in another region, preview, refresh and destroy are refused before any call, and nothing is taken for deleted", async () => {
  const { there, calls } = await withVpc("ap-singapore");
  const before = calls();
  const says =
    "this Vpc was created in region eu-frankfurt, but this update uses ap-singapore: set container-platform:region back and run `pulumi up`, or use another stack";
  await expect(there.preview({ cidrBlock: "10.1.0.0/16" })).rejects.toThrow(says);
  for (const work of ["refresh", "destroy"] as const) await expect(there[work]()).rejects.toThrow(says);
  expect([there.state?.id, calls()]).toEqual([expect.stringMatching(/^vpc-/), before]);
});

test("a region that does not exist is refused with the platform's sentence, which names those that do", async () => {
  const { there } = await withVpc("eu-nowhere");
  there.state = undefined;
  await expect(there.up(args)).rejects.toThrow(/there is no region eu-nowhere; there are (ap-singapore|eu-frankfurt)/);
});

test("a stack that is run in another account is refused", async () => {
  const { there, inAccount } = await withVpc();
  inAccount("200000000002");
  await expect(there.refresh()).rejects.toThrow("this Vpc was created in account 200000000002, but this update uses 100000000001");
  // A client that does not answer the account may have made it.
  inAccount("");
  await there.refresh();
  expect(there.state?.outputs["__home"]).toMatchObject({ account: "100000000001" });
});
