import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createInstanceToken, createServiceAccount, describeImages } from "../../sdk/src/catalogue/registry.ts";
import { openStage } from "../../sdk/src/served/registries/stage.fixture.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { clientFile, isOnPath, runClient } from "./clients.ts";
import { writeLayout } from "./layout.ts";

/** A served registry with a namespace, a token, and an account that may only pull; and a client with a folder of its own. */
async function start(file: string) {
  const folder = scratch();
  const { world, cloud, registryId, address, close } = await openStage();
  onTestFinished(close);
  const token = await cloud.call(createInstanceToken, { registryId, tokenType: "temp" });
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  const puller = await cloud.call(createServiceAccount, { registryId, name: "puller", permissions });
  const tags = async (repositoryName: string) => {
    const { imageInfoList } = await cloud.call(describeImages, { registryId, namespaceName: "team", repositoryName });
    return imageInfoList.map(({ imageVersion, digest }) => [imageVersion, digest]);
  };
  const outcome = (args: readonly string[], input?: string) => runClient(file, args, folder, input);
  const done = async (...args: string[]) => {
    const { code, output } = await outcome(args);
    expect({ args, code, output }).toEqual({ args, code: 0, output: expect.any(String) });
    return output;
  };
  const layout = join(folder, "layout");
  return { world, address, token, puller, tags, outcome, done, folder, layout, digests: writeLayout(layout) };
}

describe.runIf(isOnPath("go"))("clients that are built from their modules", () => {
  test("crane logs in, pushes, copies, lists, pulls and deletes; who may not is told", async () => {
    const { address, token, puller, tags, outcome, done, layout, digests, folder, world } = await start(await clientFile("crane"));
    const login = (user: string, password: string) => outcome(["auth", "login", address, "-u", user, "--password-stdin"], password);
    await login("100000000001", "wrong");
    expect((await outcome(["push", layout, `${address}/team/web:v1`, "--index"])).output).toContain("UNAUTHORIZED");
    expect((await login(token.username, token.token)).code).toBe(0);
    await done("push", layout, `${address}/team/web:v1`, "--index");
    expect(await done("digest", `${address}/team/web:v1`)).toMatch(/^sha256:/);
    await done("copy", `${address}/team/web@${digests.index}`, `${address}/team/copy:v1`);
    await done("tag", `${address}/team/copy:v1`, "latest");
    expect((await done("ls", `${address}/team/copy`)).split("\n")).toEqual(["latest", "v1"]);
    expect((await done("catalog", address)).split("\n")).toEqual(["team/copy", "team/web"]);
    expect(await done("digest", "--platform", "linux/amd64", `${address}/team/copy:v1`)).toBe(digests.amd64);
    await done("validate", "--remote", `${address}/team/copy:v1`);
    await done("pull", `${address}/team/copy:v1`, join(folder, "pulled.tar"));
    expect(await tags("copy")).toEqual(expect.arrayContaining([["v1", digests.index]]));
    await done("delete", `${address}/team/copy:latest`);
    await done("delete", `${address}/team/copy@${digests.index}`);
    expect(await tags("copy")).toEqual([]);
    expect((await login(puller.name, puller.password)).code).toBe(0);
    await done("pull", `${address}/team/web@${digests.amd64}`, join(folder, "again.tar"));
    expect((await outcome(["push", layout, `${address}/team/web:v2`, "--index"])).output).toContain("DENIED");
    await login(token.username, token.token);
    world.advance(3_600_000);
    expect((await outcome(["ls", `${address}/team/web`])).output).toContain("UNAUTHORIZED");
  });

  test("regctl copies an image of several architectures, attaches artifacts to it, lists them, and deletes a tag", async () => {
    const { address, token, tags, outcome, done, layout, digests } = await start(await clientFile("regctl"));
    await done("registry", "set", "--skip-check", "--tls", "disabled", address);
    expect((await outcome(["registry", "login", address, "-u", token.username, "--pass-stdin"], token.token)).code).toBe(0);
    await done("image", "copy", `ocidir://${layout}:v1`, `${address}/team/web:v1`);
    expect(await done("image", "digest", `${address}/team/web:v1`)).toContain(digests.index);
    const artifact = ["artifact", "put", "--artifact-type", "application/example", "--subject", `${address}/team/web:v1`];
    expect((await outcome(artifact, "hello")).code).toBe(0);
    expect(await done("artifact", "list", `${address}/team/web:v1`)).toContain("application/example");
    await done("image", "copy", "--referrers", `${address}/team/web:v1`, `${address}/team/copy:v1`);
    expect(await done("artifact", "list", `${address}/team/copy:v1`)).toContain("application/example");
    // Without a tag for what the registry lists itself.
    expect(await tags("web")).toEqual([["v1", digests.index]]);
    await done("tag", "delete", `${address}/team/web:v1`);
    expect(await tags("web")).toEqual([]);
  });

  test("helm logs in over plain HTTP, pushes a chart, shows and pulls it, and logs out; who may not is told", async () => {
    const { address, token, puller, tags, outcome, done, folder } = await start(await clientFile("helm"));
    const login = (user: string, password: string) =>
      outcome(["registry", "login", address, "--plain-http", "-u", user, "--password-stdin"], password);
    expect(await login(token.username, "wrong")).toMatchObject({ code: 1, output: expect.stringMatching(/unauthorized/i) });
    expect(await login(token.username, token.token)).toMatchObject({ code: 0, output: expect.stringContaining("Login Succeeded") });
    await done("create", join(folder, "web"));
    await done("package", join(folder, "web"), "--destination", folder);
    const chart = join(folder, "web-0.1.0.tgz");
    const pushed = await done("push", "--plain-http", chart, `oci://${address}/team`);
    const [digest] = /sha256:[0-9a-f]{64}/.exec(pushed) ?? [];
    expect(await tags("web")).toEqual([["0.1.0", digest]]);
    expect(await done("show", "chart", "--plain-http", `oci://${address}/team/web`, "--version", "0.1.0")).toContain("name: web");
    await done("pull", "--plain-http", `oci://${address}/team/web`, "--version", "0.1.0", "--destination", join(folder));
    expect(await done("template", "--plain-http", "release", `oci://${address}/team/web`)).toContain("kind: Deployment");
    await done("registry", "logout", address);
    expect((await outcome(["pull", "--plain-http", `oci://${address}/team/web`])).output).toMatch(/unauthorized|401/i);
    expect((await login(puller.name, puller.password)).code).toBe(0);
    expect((await outcome(["push", "--plain-http", chart, `oci://${address}/team`])).output).toMatch(/denied/i);
  });
});

test.runIf(isOnPath("skopeo"))("skopeo logs in, copies in both forms of manifests, lists and deletes; who may not is told", async () => {
  const { address, token, puller, tags, outcome, done, layout, digests, folder } = await start("skopeo");
  const login = (user: string, password: string) =>
    outcome(["login", "--tls-verify=false", "-u", user, "--password-stdin", address], password);
  expect((await login(token.username, "wrong")).output).toContain("invalid username/password");
  expect(await login(token.username, token.token)).toMatchObject({ code: 0, output: expect.stringContaining("Login Succeeded!") });
  await done("copy", "--all", "--dest-tls-verify=false", `oci:${layout}:v1`, `docker://${address}/team/web:v1`);
  await done("copy", "--format", "v2s2", "--dest-tls-verify=false", `oci:${layout}:v1`, `docker://${address}/team/web:docker`);
  expect(await done("inspect", "--raw", "--tls-verify=false", `docker://${address}/team/web:docker`)).toContain(
    "docker.distribution.manifest.v2",
  );
  const plain = ["--src-tls-verify=false", "--dest-tls-verify=false"];
  await done("copy", "--all", ...plain, `docker://${address}/team/web:v1`, `docker://${address}/team/copy:v1`);
  expect(await tags("copy")).toEqual([["v1", digests.index]]);
  await done("copy", "--src-tls-verify=false", `docker://${address}/team/copy:v1`, `dir:${join(folder, "pulled")}`);
  await done("delete", "--tls-verify=false", `docker://${address}/team/copy:v1`);
  expect(await tags("copy")).toEqual([]);
  expect((await login(puller.name, puller.password)).code).toBe(0);
  expect(JSON.parse(await done("list-tags", "--tls-verify=false", `docker://${address}/team/web`))).toMatchObject({
    Tags: ["docker", "v1"],
  });
  const refused = await outcome(["delete", "--tls-verify=false", `docker://${address}/team/web:v1`]);
  expect(refused.code).not.toBe(0);
});
