import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessKeyOf, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { afterAll, expect, test } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { Host } from "../../support/host.ts";
import { dynamicTest } from "../../support/shell.ts";

const folder = mkdtempSync(join(tmpdir(), "container-platform-configuration-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);
World.open(file("good.db"), { pace: "instant", seed: "configuration" }).close();
World.open(file("other.db"), { pace: "instant", seed: "configuration" }).close();
const newer = World.open(file("newer.db"), { pace: "instant", seed: "configuration" });
newer.prepare("UPDATE clock SET version = 99").run();
newer.close();
writeFileSync(file("garbage.db"), "this is not a world, and long enough that nobody could take it for one".repeat(100));

const good = { endpoint: `local:${file("good.db")}`, region: "eu-frankfurt" };

const wrong: readonly (readonly [of: string, config: Record<string, string>, says: RegExp])[] = [
  [
    "no endpoint",
    { region: "eu-frankfurt" },
    /^no endpoint is configured: set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT to local .*, local:<file>, the http:\/\/ or https:\/\/ address of a platform, public \(the public API\), or cli:<program> \(.*\)$/,
  ],
  ["an empty endpoint", { ...good, endpoint: "" }, /^no endpoint is configured/],
  ["an endpoint that is none", { ...good, endpoint: "somewhere" }, /^somewhere is no endpoint that this version reaches: use local /],
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
    "an address without credentials",
    { ...good, endpoint: "http://127.0.0.1:1" },
    /^no credentials are configured for http:\/\/127\.0\.0\.1:1: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY, or /,
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
    "a record that cannot be written",
    { ...good, record: file("nowhere/calls.jsonl") },
    /^calls cannot be recorded in .*nowhere\/calls\.jsonl \(ENOENT.*\): name a file that can be written in container-platform:record or CONTAINER_PLATFORM_RECORD, or none$/,
  ],
];

function start(config: Record<string, string>, environment: Record<string, string> = {}): Promise<Host> {
  const namespaced = Object.entries(config).map(([key, value]) => [`container-platform:${key}`, value]);
  return Host.start({ config: Object.fromEntries(namespaced), environment });
}

test.each(wrong)("with %s, every request is refused with a clear sentence", async (_, config, says) => {
  await using host = await start(config);
  const vpc = (): Deployment => new Deployment(host, "Vpc", "example");
  await expect(vpc().preview({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(says);
  await expect(vpc().get("vpc-1")).rejects.toThrow(says);
  // There is no stack trace, neither in the error nor on the terminal.
  expect(host.printed.join("")).not.toMatch(/\n\s+at /);
});

test.each(["ENDPOINT", "REGION"])(
  "a variable CONTAINER_PLATFORM_%s that is empty is named, and the configuration of the stack is not used",
  async (name) => {
    const variable = `CONTAINER_PLATFORM_${name}`;
    await using host = await start(good, { [variable]: "" });
    const vpc = new Deployment(host, "Vpc", "example");
    await expect(vpc.preview({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(
      `${variable} is set in the environment, and empty: give it a value, or unset it to use the stack's container-platform:${name.toLowerCase()}`,
    );
  },
);

const inProvider = (...given: readonly string[]) => ({ provider: JSON.stringify({ name: "singapore", given }) });

dynamicTest("what a Provider is given wins over the environment, which wins over what it takes from the stack", async () => {
  const config = { endpoint: `local:${file("other.db")}`, region: "ap-singapore", ...inProvider("region") };
  await using host = await start(config, { CONTAINER_PLATFORM_REGION: "eu-frankfurt", CONTAINER_PLATFORM_ENDPOINT: good.endpoint });
  await using one = new Deployment(host, "Vpc", "example");
  await one.up({ cidrBlock: "10.0.0.0/16" });
  expect(one.state?.outputs).toMatchObject({ __home: { region: "ap-singapore", endpoint: good.endpoint } });
});

test("a Provider without a region or an endpoint says what it lacks", async () => {
  for (const [config, says] of [
    [
      { endpoint: good.endpoint, ...inProvider("endpoint") },
      /^the Provider singapore has no region: give it one, for example region: "eu-frankfurt"$/,
    ],
    [
      { region: good.region, ...inProvider("region") },
      /^the Provider singapore has no endpoint, and none is configured: give it one, or set container-platform:endpoint or CONTAINER_PLATFORM_ENDPOINT$/,
    ],
  ] as const) {
    await using host = await start(config);
    await expect(new Deployment(host, "Vpc", "example").preview({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(says);
  }
});

test("with a region that does not exist, the platform's sentence names those that do", async () => {
  await using host = await start({ ...good, region: "eu-nowhere" });
  await expect(new Deployment(host, "Vpc", "example").up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow(
    /there is no region eu-nowhere; there are ap-singapore|there is no region eu-nowhere; there are eu-frankfurt/,
  );
});

test("a platform is reached over HTTP with a key of the stack's configuration", async () => {
  const world = World.open(":memory:", { pace: "instant", seed: "configuration" });
  const server = await serve(world);
  const { secretId, secretKey } = accessKeyOf(world);
  {
    await using host = await start({ ...good, endpoint: server.url, secretId, secretKey });
    await using one = new Deployment(host, "Vpc", "example");
    await one.up({ cidrBlock: "10.0.0.0/16" });
    expect(one.state?.outputs).toMatchObject({ __home: { endpoint: server.url, account: world.account } });
    expect(JSON.stringify(one.state)).not.toContain(secretKey);
    await one.refresh();
    expect(await one.preview({ cidrBlock: "10.0.0.0/16" })).toBe("nothing");
  }
  {
    await using host = await start({ ...good, endpoint: server.url, secretId, secretKey: "wrong" });
    await expect(new Deployment(host, "Vpc", "example").up({ cidrBlock: "10.0.0.0/16" })).rejects.toThrow("AuthFailure.SignatureFailure");
  }
  await server.close();
  world.close();
});

const moved: readonly (readonly [what: string, elsewhere: Record<string, string>, says: string])[] = [
  [
    "endpoint",
    { endpoint: `local:${file("other.db")}` },
    `this Vpc lives at the endpoint ${good.endpoint}, but this run works at local:${file("other.db")}: `,
  ],
  ["region", { region: "ap-singapore" }, "this Vpc lives in region eu-frankfurt, but this run works in ap-singapore: "],
  [
    "misspelt region",
    { region: "eu-frankfrut" },
    "this Vpc lives in region eu-frankfurt, but this run works in eu-frankfrut, and there is no such region (there are eu-frankfurt, ap-singapore and na-ashburn): ",
  ],
];

test.each(moved)(
  "a stack that is run against another %s is refused before any call, and not taken for deleted",
  async (_, elsewhere, says) => {
    const args = { cidrBlock: "10.0.0.0/16" };
    await using home = await start(good);
    await using one = new Deployment(home, "Vpc", "example");
    await one.up(args);
    const [part = ""] = Object.keys(elsewhere);
    const variable = `CONTAINER_PLATFORM_${part.toUpperCase()}`;
    await using configured = await start({ ...good, ...elsewhere });
    await using inEnvironment = await start(good, { [variable]: elsewhere[part] ?? "" });
    for (const [abroad, remedy] of [
      [configured, `set container-platform:${part} back and run \`pulumi up\`, or use another stack`],
      [inEnvironment, `that is from ${variable}: unset it, or use another stack`],
    ] as const)
      for (const work of ["preview", "refresh", "destroy"] as const) {
        const there = new Deployment(abroad, "Vpc", "example");
        there.state = one.state;
        const message = says + remedy;
        await expect(work === "preview" ? there.preview({ cidrBlock: "10.1.0.0/16" }) : there[work]()).rejects.toMatchObject({ message });
      }
  },
);

test("a stack that is run in another account is refused", async () => {
  await using home = await start(good);
  await using one = new Deployment(home, "Vpc", "example");
  await one.up({ cidrBlock: "10.0.0.0/16" });
  const there = new Deployment(home, "Vpc", "example");
  if (!one.state) throw new Error("it is not deployed");
  there.state = { ...one.state, outputs: { ...one.state.outputs, __home: { ...good, account: "200000000002" } } };
  await expect(there.refresh()).rejects.toThrow("this Vpc lives in account 200000000002, but this run works in 100000000001");
  // A client that does not answer the account may have made it.
  there.state = { ...one.state, outputs: { ...one.state.outputs, __home: { ...good, account: "" } } };
  await there.refresh();
  expect(there.state.outputs["__home"]).toMatchObject({ account: "100000000001" });
});

test("the environment takes precedence over the stack, and default tags are merged", async () => {
  const config = { ...good, region: "ap-singapore", defaultTags: '{"team":"platform","stage":"test"}' };
  await using host = await start(config, { CONTAINER_PLATFORM_REGION: "eu-frankfurt" });
  await using one = new Deployment(host, "Vpc", "example");
  await one.up({ cidrBlock: "10.0.0.0/16", tags: { stage: "own" } });
  expect(one.state?.outputs).toMatchObject({ tags: { team: "platform", stage: "own" }, __home: { region: "eu-frankfurt" } });
  await one.refresh();
  expect(await one.preview({ cidrBlock: "10.0.0.0/16", tags: { stage: "own" } })).toBe("nothing");
});
