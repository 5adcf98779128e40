import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expected, pushImage } from "./content.fixture.ts";
import { contentFolder, sha256, stageOfTest } from "./stage.fixture.ts";

/** As root of a namespace of their own, users of some systems may mount. */
const mounting = (...then: string[]) => ["--user", "--map-root-user", "--mount", ...then];
const mount = (place: string) => ["mount", "-t", "tmpfs", "-o", "size=4m", "none", place];
const mayMount = spawnSync("unshare", mounting(...mount("/mnt"))).status === 0;

/** Where a disk of 4 MB is, which is there as long as the process that has mounted it. */
async function smallDisk(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "small-disk-"));
  const script = `${mount('"$0"').join(" ")} && mkdir "$0/blobs" "$0/uploads" && echo mounted && exec sleep 600`;
  const holder: ChildProcess = spawn("unshare", mounting("sh", "-c", script, place), { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    holder.kill("SIGKILL");
    rmSync(place, { recursive: true, force: true });
  });
  if (holder.stdout) await once(holder.stdout, "data");
  return join("/proc", String(holder.pid), "root", place);
}

/** A folder whose content is on a disk. The folder itself is not: SQLite, which locks it, finds no file of another process's mount. */
function folderOn(disk: string): string {
  const folder = contentFolder();
  for (const part of ["blobs", "uploads"]) symlinkSync(join(disk, part), join(folder, part));
  return folder;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test.runIf(mayMount)("what does not fit on the disk is refused, and leaves the room that there was", async () => {
  const disk = await smallDisk();
  const stage = await stageOfTest({ folder: folderOn(disk) });
  const { ask, folder } = stage;
  const { digest } = await pushImage(ask, "team/web", "v1");
  const before = filesIn(disk);
  expect(before.length).toBeGreaterThan(2);
  const large = randomBytes(8_000_000);
  const push = (query: string) => ask("POST", `/v2/team/web/blobs/uploads/${query}`, { body: large });
  expect(await push(`?digest=${sha256(large)}`)).toMatchObject({
    status: 507,
    json: { errors: [{ message: `the disk of the registry is full (${folder}): make room, then try again` }] },
  });
  expect(filesIn(disk)).toEqual(before);

  // Of an upload in chunks, the ones before stay.
  const upload = expected(await ask("POST", "/v2/team/web/blobs/uploads/"), 202).headers.get("location") ?? "";
  const small = randomBytes(1000);
  expected(await ask("PATCH", upload, { body: small }), 202);
  expect((await ask("PATCH", upload, { body: large })).status).toBe(507);
  expect((await ask("GET", upload)).headers.get("range")).toBe("0-999");
  expected(await ask("PUT", `${upload}?digest=${sha256(small)}`), 201);

  // A manifest that does not fit leaves no part of it.
  const filler = randomBytes(3_900_000);
  const filling = expected(await ask("POST", "/v2/team/web/blobs/uploads/"), 202).headers.get("location") ?? "";
  expected(await ask("PATCH", filling, { body: filler }), 202);
  const body = JSON.stringify({ schemaVersion: 2, manifests: [], annotations: { long: "x".repeat(1_000_000) } });
  const index = { body, headers: { "content-type": "application/vnd.oci.image.index.v1+json" } };
  expect((await ask("PUT", "/v2/team/web/manifests/large", index)).status).toBe(507);
  expect(filesIn(disk).filter((name) => name.startsWith("draft-"))).toEqual([]);
  expect((await ask("GET", "/v2/team/web/manifests/v1")).headers.get("docker-content-digest")).toBe(digest);
  expected(await ask("DELETE", filling), 204);
  expected(await ask("PUT", "/v2/team/web/manifests/large", index), 201);
  expect(stage.mistakes).toEqual([]);
});
