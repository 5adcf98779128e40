import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endOf, expectTold, type Told, User } from "./user.fixture.ts";

const file = (user: User) => user.at(".container-platform", "credentials.yaml");
const written = (user: User) => readFileSync(file(user), "utf8");

function write(user: User, text: string): void {
  mkdirSync(user.at(".container-platform"), { recursive: true });
  writeFileSync(file(user), text);
}

const done = { code: 0, stdout: "" };

test("settings go into a profile that only this user can read, and nothing else in the file changes", async () => {
  const user = new User();
  expect(await user.run("configure", "set", "endpoint", "local", "region", "eu-frankfurt")).toEqual({
    ...done,
    stderr: `cpcli: endpoint, region set in the profile default of ${file(user)}\n`,
  });
  expect(written(user)).toBe("default:\n  endpoint: local\n  region: eu-frankfurt\n");
  const text = `# Mine, not yours.
default: # the usual one
  region: eu-frankfurt # near
  note: [ 1, 2 ]
empty:

work: { secretId: "AKID1" }
`;
  write(user, text);
  chmodSync(file(user), 0o644);
  chmodSync(user.at(".container-platform"), 0o755);
  await user.run("configure", "set", "region", "na-ashburn");
  await user.run("configure", "set", "secretId", "123", "--profile", "work");
  await user.run("configure", "set", "region", "yes", "--profile", "empty");
  await user.run("configure", "unset", "region", "token");
  expect(written(user)).toBe(`# Mine, not yours.
default:
  # the usual one
  note: [ 1, 2 ]
empty:
  region: yes

work: { secretId: "123" }
`);
  const modes = [user.at(".container-platform"), file(user)].map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes).toEqual(["700", "600"]);
});

test("secrets come from standard input, a line for each", async () => {
  const user = new User({ CONTAINER_PLATFORM_PROFILE: "work" });
  const { code, stderr } = await user.runWith("hush-key\nhush-token\n", "configure", "set", "secretId", "AKID1", "secretKey", "token");
  expect([code, stderr]).toEqual([0, `cpcli: secretId, secretKey, token set in the profile work of ${file(user)}\n`]);
  expect(written(user)).toBe("work:\n  secretId: AKID1\n  secretKey: hush-key\n  token: hush-token\n");
});

test("a secret that is typed at a terminal is not shown, and Control-C changes nothing", async () => {
  const user = new User();
  const typing = async (keys: string) => {
    const child = user.startAtTerminal("configure", "set", "secretKey");
    const ended = endOf(child);
    await once(child.stdout, "data");
    child.stdin.write(keys);
    return ended;
  };
  const { code, stdout } = await typing("hush\r");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^secretKey \(not shown\): \r\ncpcli: secretKey set in the profile default/);
  expect(written(user)).toBe("default:\n  secretKey: hush\n");
  const interrupted = await typing("other\u0003");
  expect([interrupted.code, interrupted.stdout]).toEqual([130, expect.stringContaining("cpcli: interrupted")]);
  expect(interrupted.stdout).not.toContain("other");
  expect(written(user)).toBe("default:\n  secretKey: hush\n");
});

test("many who write at the same time lose nothing", async () => {
  const user = new User();
  const settings = ["endpoint", "region", "secretId", "credentialProcess"];
  const runs = settings.flatMap((name) => ["a", "b"].map((profile) => user.run("configure", "set", name, "local", "--profile", profile)));
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual(runs.map(() => 0));
  const { stdout } = await user.run("configure", "list");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/\s+/)[0]);
  for (const profile of ["a", "b"]) {
    const from = lines.indexOf(profile);
    expect(lines.slice(from + 1, from + 5).toSorted()).toEqual(settings.toSorted());
  }
  expect(readdirSync(user.at(".container-platform"))).toEqual(["credentials.yaml"]);
});

test("whoever died while writing holds up nobody, and a link stays one", async () => {
  const user = new User();
  mkdirSync(user.at("elsewhere"));
  mkdirSync(user.at(".container-platform"));
  const real = realpathSync(user.at("elsewhere"));
  writeFileSync(user.at("elsewhere", "keys.yaml"), "");
  symlinkSync(user.at("elsewhere", "keys.yaml"), file(user));
  const lock = `${real}/keys.yaml.lock`;
  writeFileSync(lock, "half of it");
  utimesSync(lock, 0, 0);
  expect((await user.run("configure", "set", "region", "eu-frankfurt")).code).toBe(0);
  expect(readFileSync(`${real}/keys.yaml`, "utf8")).toBe("default:\n  region: eu-frankfurt\n");
  expect([realpathSync(file(user)), existsSync(lock)]).toEqual([`${real}/keys.yaml`, false]);
});

test("what is set is shown, but for secrets", async () => {
  const user = new User();
  write(user, `default: { endpoint: local, secretId: AKID1, secretKey: hush-hush-hush-hush-abcd, token: hush, other: hush }\nwork:\n`);
  const stars = "*".repeat(16);
  const all = `default
  endpoint           local
  secretId           AKID1
  secretKey          ${stars}abcd
  token              ${stars}
  other              ${stars}
work
`;
  expect(await user.run("configure", "list")).toEqual({ code: 0, stdout: all, stderr: "" });
  expect((await user.run("configure", "list", "--profile", "work")).stdout).toBe("work\n");
  expect((await user.run("configure", "get", "endpoint")).stdout).toBe("local\n");
  expect((await user.run("configure", "get", "secretKey")).stdout).toBe(`${stars}abcd\n`);
  expect(await user.run("configure", "get", "region")).toMatchObject({
    code: 253,
    stderr: `cpcli: the profile default in ${file(user)} has no region: \`cpcli configure set region\` gives it one\n`,
  });
});

function tccli(user: User, name: string, credential: unknown, configure?: unknown): void {
  mkdirSync(user.at(".tccli"), { recursive: true });
  writeFileSync(user.at(".tccli", `${name}.credential`), typeof credential === "string" ? credential : JSON.stringify(credential));
  if (configure !== undefined) writeFileSync(user.at(".tccli", `${name}.configure`), JSON.stringify(configure));
}

test("a profile of the public API's client is taken over", async () => {
  const user = new User();
  write(user, "default: { endpoint: local, token: old }\n");
  const configure = { _sys_param: { region: "eu-frankfurt", output: "json" }, tke: { endpoint: "tke.example", version: "2018-05-25" } };
  tccli(user, "default", { secretId: "AKID1", secretKey: "hush" }, configure);
  const { code, stdout, stderr } = await user.run("configure", "import");
  expect([code, stdout, stderr]).toEqual([
    0,
    "",
    `cpcli: region, secretId, secretKey of tccli's profile default set in the profile default of ${file(user)}
cpcli: tccli has an endpoint for each product, which is not taken over: \`cpcli configure set endpoint\` sets the one of this profile
`,
  ]);
  expect(written(user)).toBe("default: { endpoint: local, region: eu-frankfurt, secretId: AKID1, secretKey: hush }\n");
  tccli(user, "temporary", { secretId: "AKID2", secretKey: "hush", token: "t" });
  expect((await user.run("configure", "import", "--from", "temporary", "--profile", "work")).code).toBe(0);
  expect(written(user)).toContain("work:\n  secretId: AKID2\n  secretKey: hush\n  token: t\n");
  const refused = async (name: string, sentence: string) => {
    const before = written(user);
    const ended = await user.run("configure", "import", "--from", name);
    expect([ended.code, ended.stderr]).toEqual([253, expect.stringContaining(sentence)]);
    expect([ended.stderr.includes("hush"), written(user)]).toEqual([false, before]);
  };
  await refused("missing", "cpcli: there is neither ");
  tccli(user, "role", { secretId: "AKID1", secretKey: "hush", "role-arn": "qcs::cam::uin/1:roleName/a" });
  await refused(
    "role",
    "cpcli: the profile role of tccli assumes a role: the endpoint public does so with that file as it is, any other needs a credentialProcess",
  );
  tccli(user, "broken", '{ "secretKey": "hush" ');
  await refused("broken", "broken.credential is not a file of tccli: it has to be JSON");
  tccli(user, "empty", {});
  await refused("empty", "the profile empty of tccli has no region and no keys");
});

test.each<Told>([
  ["", 0, /^Usage: cpcli configure <command> \[options\]\n\n {2}set /],
  ["--help", 0, /^Usage: cpcli configure <command>/],
  ["sets", 252, /^cpcli: cpcli configure does not take sets\nMaybe you meant set\.\n$/],
  ["change", 252, /^cpcli: cpcli configure does not take change\nThere are set, unset, get, list, import\.\n$/],
  [
    "set --help",
    0,
    /^Usage: cpcli configure set <setting> \[<value>\]\.\.\. \[options\]\n\n {2}--profile NAME [^]*Settings:\n {2}endpoint /,
  ],
  ["set", 252, /^cpcli: cpcli configure set takes <setting>\n/],
  ["set regin x", 252, /^cpcli: there is no setting regin; there are endpoint, [^]*\nMaybe you meant region\.\n$/],
  ["set region", 252, /^cpcli: region takes a value\n`cpcli configure unset region` takes it out of the profile\.\n$/],
  ["set secretKey abc", 252, /^cpcli: secretKey is not given on the command line: others see it/],
  ["set secretKey", 252, /^cpcli: there is no secretKey on standard input\n/],
  ["set endpoint nowhere", 253, /^cpcli: nowhere is no endpoint that this version reaches: use local/],
  ["set endpoint https://user:hush@host", 253, /^cpcli: the endpoint is no address of a platform/],
  ["get", 252, /^cpcli: cpcli configure get takes <setting>\n/],
  ["get region", 253, /^cpcli: there is no profile default in \S+; there are none\n$/],
  ["list", 253, /^cpcli: there are no profiles in \S+: `cpcli configure set` makes the first\n$/],
])("cpcli configure %s", async (line, code, says) => {
  const user = new User();
  await expectTold(user, `configure ${line}`, code, says);
  expect(existsSync(file(user))).toBe(false);
});

test("a file that is not what it should be is left alone", async () => {
  const user = new User();
  for (const [text, sentence] of [
    ["default:\n  secretKey: hush\n bad", "is not YAML: look at line 3"],
    ["- hush\n", "is not a list of profiles by name"],
    ["default: hush\n", "the profile default in"],
  ] as const) {
    write(user, text);
    const { code, stderr } = await user.run("configure", "set", "region", "eu-frankfurt");
    expect([code, stderr.includes(sentence), stderr.includes("hush"), written(user)]).toEqual([253, true, false, text]);
  }
});
