import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { scratch } from "../scratch.fixture.ts";
import { findCredentials, type FindOptions } from "./credentials.ts";
import { renewed } from "./credential-source.ts";
import { readProfile } from "./profiles.ts";

const endpoint = "https://platform.example";
const before = process.env["HOME"];
let folder: string;

beforeEach(() => {
  folder = scratch();
  process.env["HOME"] = folder;
  onTestFinished(() => {
    process.env["HOME"] = before;
  });
});

function profiles(text: string): void {
  mkdirSync(join(folder, ".container-platform"), { recursive: true });
  writeFileSync(join(folder, ".container-platform", "credentials.yaml"), text);
}

/** A program that prints something, as a command of the system's shell; counts how often it runs. */
function program(output: string, code = 0): { command: string; runs: () => number } {
  const file = join(folder, "program.cjs");
  const count = join(folder, "runs");
  writeFileSync(count, "");
  const text = `require("node:fs").appendFileSync(${JSON.stringify(count)}, "x");
    process.stdout.write(${JSON.stringify(output)}, () => process.exit(${code}));`;
  writeFileSync(file, text);
  return { command: `"${process.execPath}" "${file}"`, runs: () => readFileSync(count, "utf8").length };
}

const find = async (options: FindOptions = {}) => (await findCredentials(endpoint, { environment: {}, ...options }))();
const inEnvironment = { CONTAINER_PLATFORM_SECRET_ID: "env", CONTAINER_PLATFORM_SECRET_KEY: "k1", CONTAINER_PLATFORM_TOKEN: "t1" };
const configured = { secretId: "config", secretKey: "k2" };

test("the environment wins over the configuration, and that over the profile", async () => {
  profiles("default: { secretId: file, secretKey: k3 }\nother: { secretId: other, secretKey: k4, token: t4 }\n");
  expect(await find({ environment: inEnvironment, credentials: configured })).toEqual({ secretId: "env", secretKey: "k1", token: "t1" });
  expect(await find({ credentials: configured })).toEqual({ secretId: "config", secretKey: "k2", token: undefined });
  expect(await find()).toEqual({ secretId: "file", secretKey: "k3", token: undefined });
  expect(await find({ profile: "other" })).toEqual({ secretId: "other", secretKey: "k4", token: "t4" });
  expect(await find({ environment: { CONTAINER_PLATFORM_PROFILE: "other" } })).toMatchObject({ secretId: "other" });
  const emptied = { ...inEnvironment, CONTAINER_PLATFORM_TOKEN: "" };
  expect(await find({ environment: emptied })).toEqual({ secretId: "env", secretKey: "k1", token: undefined });
});

test("halves of two places are not put together", async () => {
  profiles("default: { secretKey: hush }\n");
  await expect(find({ environment: { CONTAINER_PLATFORM_SECRET_ID: "env" }, credentials: configured })).rejects.toThrow(
    "the environment (CONTAINER_PLATFORM_…) has a secretId, but no secretKey: calls are signed with both",
  );
  await expect(find()).rejects.toThrow("the profile default has a secretKey, but no secretId: calls are signed with both");
});

test("a file that cannot be read is told by its name and line, without what it holds", async () => {
  profiles("default:\n  secretId: file\n  secretKey: [hush\n");
  expect(await readProfile().catch(String)).toMatch(/^ConfigurationError: \S+credentials\.yaml is not YAML: look at line 4$/);
  profiles("default: *hush\n");
  expect(await readProfile().catch(String)).toMatch(
    /^ConfigurationError: \S+credentials\.yaml is not YAML: it has an alias without an anchor$/,
  );
  profiles("");
  expect(await readProfile()).toEqual({});
});

test("a folder in the place of the file is no file", async () => {
  mkdirSync(join(folder, ".container-platform", "credentials.yaml"), { recursive: true });
  expect(await readProfile().catch(String)).toMatch(/^ConfigurationError: \S+credentials\.yaml cannot be read: EISDIR/);
});

test("without any, the places are named", async () => {
  await expect(find()).rejects.toThrow(
    /^no credentials are configured for https:\/\/platform\.example: set CONTAINER_PLATFORM_SECRET_ID and CONTAINER_PLATFORM_SECRET_KEY, or container-platform:secretId and container-platform:secretKey, or give the profile default in .*credentials\.yaml a secretId and a secretKey, or a credentialProcess$/,
  );
  await expect(find({ profile: "missing" })).rejects.toThrow("there is no profile missing in");
});

test("a program prints them; it runs once for all who ask at the same time, and again when the platform takes them no more", async () => {
  const { command, runs } = program('{"secretId": "printed", "secretKey": "k", "token": "t", "expiration": "2999-01-01T00:00:00Z"}');
  profiles(`default: { credentialProcess: '${command}' }\n`);
  const source = await findCredentials(endpoint, { environment: {} });
  expect(runs()).toBe(0);
  const all = await Promise.all([source(), source(), source()]);
  expect(all).toEqual(Array(3).fill({ secretId: "printed", secretKey: "k", token: "t" }));
  expect(await source()).toBe(all[0]);
  expect(runs()).toBe(1);
  await source(all[0]);
  expect(runs()).toBe(2);
});

test("a program is asked anew when what it printed is about to expire", async () => {
  const soon = new Date(Date.now() + 30_000).toISOString();
  const { command, runs } = program(JSON.stringify({ secretId: "printed", secretKey: "k", expiration: soon }));
  const source = await findCredentials(endpoint, { environment: { CONTAINER_PLATFORM_CREDENTIAL_PROCESS: command } });
  await source();
  await source();
  expect(runs()).toBe(2);
});

test.each([
  ["nothing", "", 0, "the program has to print"],
  ["no JSON", "hush", 0, "the program has to print"],
  ["no key", '{"secretId": "hush"}', 0, "the program has to print"],
  ["a time that is none", '{"secretId": "hush", "secretKey": "hush", "expiration": "soon"}', 0, "the program has to print"],
  ["a failure", '{"secretId": "hush", "secretKey": "hush"}', 3, "the program ended with code 3"],
])("a program that prints %s is told without what it printed, and tried again with the next call", async (_, output, code, sentence) => {
  const { command, runs } = program(output, code);
  const source = await findCredentials(endpoint, { environment: {}, credentials: { credentialProcess: command } });
  const failed = await source().catch(String);
  expect(failed).toContain(`credentialProcess: ${sentence}`);
  expect(failed).not.toContain("hush");
  await expect(source()).rejects.toThrow(sentence);
  expect(runs()).toBe(2);
});

test("credentials that cannot be renewed are used to their end, and no longer", async () => {
  const credentials = { secretId: "old", secretKey: "k", token: undefined };
  let end = Date.now() + 60_000;
  let fetched = false;
  const source = renewed(() => {
    if (fetched) return Promise.reject(new Error("cannot be renewed"));
    fetched = true;
    return Promise.resolve({
      credentials,
      renewal: 0,
      get end() {
        return end;
      },
    });
  });
  expect([await source(), await source()]).toEqual([credentials, credentials]);
  end = 0;
  await expect(source()).rejects.toThrow("cannot be renewed");
});

test("a profile takes what it takes, and its values are not told", async () => {
  profiles("default: { secretId: hush, password: hush }\nlist: [hush]\n");
  for (const name of ["default", "list"])
    await expect(readProfile(name)).rejects.toThrow(
      new RegExp(`^the profile ${name} in \\S+ takes endpoint, region, secretId, secretKey, token, credentialProcess, each a text$`),
    );
});
