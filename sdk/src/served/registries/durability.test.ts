import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { begin, expected, imageOf, pushBlob, pushImage, refusal } from "./content.fixture.ts";
import { processes } from "./processes.fixture.ts";
import { basic, sha256, stageOfTest } from "./stage.fixture.ts";

test("what was acknowledged is there after the server was killed: images, and the part of an upload that was received, at the same address", async () => {
  const { serve } = await processes();
  const first = await serve();
  const { digest } = await pushImage(first.ask, "team/web", "v1");
  const loose = await pushBlob(first.ask, "team/web");
  const bytes = randomBytes(3_000_000);
  const location = await begin(first.ask, "team/web");
  expected(await first.ask("PATCH", location, { body: bytes.subarray(0, 2_000_000), headers: { "content-range": "0-1999999" } }), 202);
  await first.kill();

  const { ask, address } = await serve();
  expect(address).toBe(first.address);
  expect((await ask("GET", "/v2/team/web/manifests/v1")).headers.get("docker-content-digest")).toBe(digest);
  expect((await ask("GET", `/v2/team/web/blobs/${loose.digest}`)).bytes.length).toBe(loose.size);
  expect((await ask("GET", location)).headers.get("range")).toBe("0-1999999");
  const rest = { body: bytes.subarray(2_000_000), headers: { "content-range": "2000000-2999999" } };
  expected(await ask("PUT", `${location}?digest=${sha256(bytes)}`, rest), 201);
  expect((await ask("GET", `/v2/team/web/blobs/${sha256(bytes)}`)).bytes.equals(bytes)).toBe(true);
});

test("a client that leaves while it uploads goes on later where it was", async () => {
  const stage = await stageOfTest();
  const { ask, address, username, token } = stage;
  const bytes = randomBytes(1000);
  const location = await begin(ask, "team/web");
  const leaving = new AbortController();
  const sent = fetch(new URL(location, `http://${address}`), {
    method: "PATCH",
    headers: { authorization: basic(username, token) },
    body: new ReadableStream({
      start: (stream) => {
        stream.enqueue(bytes.subarray(0, 400));
      },
    }),
    duplex: "half",
    signal: leaving.signal,
  }).catch(() => undefined);
  await expect.poll(async () => (await ask("GET", location)).headers.get("range")).toBe("0-399");
  // Nobody else adds to it meanwhile.
  expect((await ask("PATCH", location, { body: "x" })).status).toBe(416);
  leaving.abort();
  await sent;
  await expect
    .poll(async () => (await ask("PATCH", location, { body: bytes.subarray(400), headers: { "content-range": "400-999" } })).status)
    .toBe(202);
  expected(await ask("PUT", `${location}?digest=${sha256(bytes)}`), 201);
  expect(stage.mistakes).toEqual([]);
});

test.runIf(process.platform === "linux")("a full disk is said, and what fits later is taken", async () => {
  const stage = await stageOfTest();
  const { ask, folder } = stage;
  const location = await begin(ask, "team/web");
  const [shelf = ""] = readdirSync(join(folder, "uploads"));
  const file = join(folder, "uploads", shelf, location.split("/").at(-1) ?? "");
  // The device that is always full.
  rmSync(file);
  symlinkSync("/dev/full", file);
  const answer = await ask("PATCH", location, { body: randomBytes(100_000) });
  expect(await refusal(answer)).toEqual([507, "UNKNOWN"]);
  expect(answer.json).toMatchObject({
    errors: [{ message: expect.stringMatching(/^the disk of the registry is full \(\S+\): make room/) }],
  });
  rmSync(file);
  writeFileSync(file, "");
  expected(await ask("PUT", `${location}?digest=${sha256("this")}`, { body: "this" }), 201);
});

test("content that was removed, cut short or changed on the disk is not served, until it is pushed again", async () => {
  const stage = await stageOfTest();
  const { ask, folder } = stage;
  const manifest = await imageOf(ask, "team/web");
  const body = JSON.stringify(manifest);
  const put = () => ask("PUT", "/v2/team/web/manifests/v1", { body, headers: { "content-type": manifest.mediaType } });
  expected(await put(), 201);
  const fileOf = (digest: string) => join(folder, "blobs", "sha256", digest.slice(7, 9), digest.slice(7));
  const { digest } = manifest.config;
  for (const damage of [() => rmSync(fileOf(digest)), () => writeFileSync(fileOf(digest), "{")]) {
    damage();
    const answer = await ask("GET", `/v2/team/web/blobs/${digest}`);
    expect(await refusal(answer)).toEqual([404, "BLOB_UNKNOWN"]);
    await pushBlob(ask, "team/web", Buffer.from("{}"));
    expect((await ask("GET", `/v2/team/web/blobs/${digest}`)).status).toBe(200);
  }
  for (const damage of [() => rmSync(fileOf(sha256(body))), () => writeFileSync(fileOf(sha256(body)), body.replace("2", "3"))]) {
    damage();
    const answer = await ask("GET", "/v2/team/web/manifests/v1");
    expect(await refusal(answer)).toEqual([404, "MANIFEST_UNKNOWN"]);
    expected(await put(), 201);
    expect((await ask("GET", "/v2/team/web/manifests/v1")).json).toEqual(manifest);
  }
});
