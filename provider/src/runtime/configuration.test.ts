import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { configurationFrom, lacking, misspelt } from "./configuration.ts";

/** Which source of a setting wins, and what a stack lacks or has spelt wrongly. */

const folder = mkdtempSync(join(tmpdir(), "configuration-"));
vi.stubEnv("HOME", folder);
afterEach(() => {
  vi.stubEnv("HOME", folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

/** A folder of a user with a profile that names a place. */
function userWithProfile(): string {
  const home = join(folder, "user");
  mkdirSync(join(home, ".container-platform"), { recursive: true });
  const place = "endpoint: https://of-profile.example\n  region: na-ashburn\n  secretId: id\n  secretKey: key\n";
  writeFileSync(join(home, ".container-platform", "credentials.yaml"), `work:\n  ${place}`, { mode: 0o600 });
  return home;
}

type Texts = Readonly<Record<string, string>>;
const read = (config: Texts, environment: Texts = {}) => configurationFrom((key) => config[key], environment);
const given = (...keys: readonly string[]) => ({ provider: JSON.stringify({ name: "other", given: keys }) });

describe("a setting", () => {
  const [config, environment] = [{ endpoint: "local", region: "eu-frankfurt" }, { CONTAINER_PLATFORM_REGION: "ap-singapore" }];

  test("is that of the environment, unless a Provider is given it", async () => {
    expect(await read(config, environment)).toMatchObject({ region: "ap-singapore", endpoint: "local", fromEnvironment: ["region"] });
    const own = await read({ ...config, ...given("region") }, environment);
    expect(own).toMatchObject({ region: "eu-frankfurt", fromEnvironment: [], provider: "other" });
    expect(await read({ ...config, ...given("endpoint") }, environment)).toMatchObject({ region: "ap-singapore" });
  });

  test("of a Provider does not count in a test's stack, which reaches its own platform only", async () => {
    const confined = { ...environment, CONTAINER_PLATFORM_CONFINED: "true" };
    expect(await read({ ...config, ...given("region") }, confined)).toMatchObject({ region: "ap-singapore" });
  });

  test("of a profile is the last one, unless a Provider is given that profile", async () => {
    vi.stubEnv("HOME", userWithProfile());
    const profiled = { region: "eu-frankfurt", profile: "work" };
    const [url, region] = ["https://of-profile.example", "na-ashburn"];
    expect(await read(profiled)).toMatchObject({ endpoint: url, region: "eu-frankfurt" });
    const own = await read({ ...profiled, ...given("profile") }, environment);
    expect(own).toMatchObject({ endpoint: url, region, fromEnvironment: [] });
    expect(await read({ ...profiled, ...given("profile", "region") }, environment)).toMatchObject({
      endpoint: url,
      region: "eu-frankfurt",
    });
  });

  test("that is empty counts as not set, also a number and a file", async () => {
    expect(await read({ ...config, callsPerSecond: "", record: "" })).toMatchObject({ callsPerSecond: undefined, record: undefined });
    expect(await read({ ...config, callsPerSecond: "1", record: "calls" })).toMatchObject({ callsPerSecond: 1, record: "calls" });
    await expect(read({ ...config, callsPerSecond: "0.5" })).rejects.toThrow("container-platform:callsPerSecond is 0.5; it takes");
  });

  test("of the credentials is the stack's", async () => {
    const keys = { secretId: "id", secretKey: "key", token: "session", credentialProcess: "keys" };
    expect((await read({ ...config, ...keys })).access.credentials).toEqual(keys);
  });
});

describe("a stack lacks", () => {
  const lacks = (config: Texts, environment: Texts = {}) => lacking((key) => config[key], environment);
  const place = { endpoint: "local", region: "eu-frankfurt" };

  test.each<readonly [Texts, Texts, RegExp | undefined]>([
    [place, {}, undefined],
    [{}, { CONTAINER_PLATFORM_ENDPOINT: "local", CONTAINER_PLATFORM_REGION: "eu-frankfurt" }, undefined],
    [{}, {}, /^no endpoint is configured: /],
    [{ endpoint: "local" }, {}, /^no region is configured: /],
    [place, { CONTAINER_PLATFORM_REGION: "" }, /^CONTAINER_PLATFORM_REGION is set in the environment, and empty: /],
    [place, { CONTAINER_PLATFORM_ENDPOINT: "" }, /^CONTAINER_PLATFORM_ENDPOINT is set in the environment, and empty: /],
  ])("with %j and %j", (config, environment, says) => {
    expect(lacks(config, environment)).toEqual(says === undefined ? [] : [expect.stringMatching(says)]);
  });

  test("nothing that a profile may have", () => {
    vi.stubEnv("HOME", userWithProfile());
    expect(lacks({})).toEqual([]);
  });
});

test("a key that is spelt almost like a setting is named with that setting", () => {
  const keys = ["container-platform:region", "container-platform:regoin", "container-platform:replicas", "shop:regoin"];
  expect(misspelt(keys)).toEqual([
    "container-platform:regoin is not a setting, and has no effect; maybe you meant container-platform:region [Provider.Configuration]",
  ]);
  expect(misspelt(["pulumi:autonaming"])).toEqual([expect.stringMatching(/^pulumi:autonaming has no effect on resources .*Unwise\]$/)]);
});
