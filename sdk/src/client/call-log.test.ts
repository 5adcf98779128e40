import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { addExistedInstances } from "../catalogue/cluster.ts";
import { createVpc, deleteVpc, describeVpcs } from "../catalogue/vpc.ts";
import { scratch } from "../scratch.fixture.ts";
import { Cloud } from "./client.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { recordSchema } from "../local/audit/events.ts";
import { Faults } from "../local/faults/faults.ts";
import { World } from "../local/store/world.ts";
import { CallRecord, readRecord } from "./call-log.ts";
import { served } from "../server/stage.fixture.ts";
import { connect } from "../transport/connect.ts";

const region = "eu-frankfurt";
const retries = { attempts: 3, pause: 1, longest: 2 };

function folder(): string {
  const path = scratch();
  return path;
}

const auditOf = (world: World) =>
  world
    .prepare("SELECT data FROM audit ORDER BY seq")
    .all()
    .map((row) => recordSchema().parse(JSON.parse(z.object({ data: z.string() }).parse(row).data)));

/** What both the record and the platform's audit log say of a call. */
function told({ requestId, action, code, names }: { requestId: string; action: string; code: string; names: string[] }) {
  return { requestId, action, code, names: names.toSorted() };
}

async function stage() {
  const { world, url, key } = await served();
  const transport = await connect(url, { credentials: key });
  onTestFinished(() => transport.close());
  const file = join(folder(), "calls.jsonl");
  return { world, file, cloud: new Cloud({ transport, region, retries, record: new CallRecord(file) }) };
}

test("what is recorded is what the platform has recorded, call by call, with what was made again", async () => {
  const { world, file, cloud } = await stage();
  await cloud.account();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16" })).vpc;
  new Faults(world).add({ operation: describeVpcs, times: 2, when: "before", code: "RequestLimitExceeded" });
  await cloud.tolerating(1000).call(describeVpcs, { vpcIds: [vpcId] });
  await cloud.call(deleteVpc, { vpcId: "vpc-gone" }).catch(() => undefined);

  const lines = readRecord(file);
  expect(lines.map(({ action, code, retries: again }) => [action, code, again.map((one) => one.code)])).toEqual([
    ["GetCallerIdentity", "", []],
    ["CreateVpc", "", []],
    ["DescribeVpcs", "", ["RequestLimitExceeded", "RequestLimitExceeded"]],
    ["DeleteVpc", "ResourceNotFound", []],
  ]);
  const attempts = lines.flatMap((line) => [...line.retries.map((one) => ({ ...line, ...one })), line]);
  expect(attempts.map(told)).toEqual(auditOf(world).map(told));
  expect(lines[1]).toMatchObject({ parameters: { VpcName: "one", CidrBlock: "10.0.0.0/16" }, names: ["one", vpcId] });
});

test("secrets of what was asked are not recorded, keys that sign neither", async () => {
  const { world, file, cloud } = await stage();
  const loginSettings = { password: "Planted-marker-1" };
  await cloud.call(addExistedInstances, { clusterId: "cls-1", instanceIds: ["ins-1"], loginSettings }).catch(() => undefined);
  expect(readRecord(file)).toMatchObject([{ action: "AddExistedInstances", parameters: { LoginSettings: { Password: "[secret]" } } }]);
  const text = readFileSync(file, "utf8");
  for (const secret of [loginSettings.password, accessKeyOf(world).secretKey]) expect(text).not.toContain(secret);
});

test("a call that never reached a platform, and one that was given up, are recorded as such", async () => {
  const file = join(folder(), "calls.jsonl");
  const record = new CallRecord(file);
  const transport = await connect("http://127.0.0.1:1", { credentials: { secretId: "one", secretKey: "two" } });
  const cloud = new Cloud({ transport, region, retries, record });
  await expect(cloud.account()).rejects.toMatchObject({ kind: "unsent" });
  await expect(cloud.call(describeVpcs, {}, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  await transport.close();
  const refused = { code: "NotConnected", requestId: "" };
  expect(readRecord(file)).toMatchObject([
    { action: "GetCallerIdentity", ...refused, retries: [refused, refused] },
    { code: "AbortError" },
  ]);
});

test("several processes write into one record, each line whole, and only its owner reads it", async () => {
  const path = folder();
  const [worldFile, file] = [join(path, "world.db"), join(path, "calls.jsonl")];
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  const fixture = join(import.meta.dirname, "call-log.fixture.ts");
  await Promise.all([0, 1, 2].map((place) => promisify(execFile)(process.execPath, [fixture, worldFile, file, `${place}`, "20"])));
  const world = World.open(worldFile);
  onTestFinished(() => world.close());
  const sorted = (calls: Parameters<typeof told>[0][]) =>
    calls.map(told).toSorted((one, other) => (one.requestId < other.requestId ? -1 : 1));
  expect(sorted(readRecord(file))).toEqual(sorted(auditOf(world)));
  expect(readRecord(file)).toHaveLength(120);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
});

test("a relative file is beside Pulumi.yaml, wherever in the project it is named", () => {
  const path = folder();
  writeFileSync(join(path, "Pulumi.yaml"), "name: test");
  mkdirSync(join(path, "deeper"));
  new CallRecord("calls.jsonl", join(path, "deeper"));
  expect(existsSync(join(path, "calls.jsonl"))).toBe(true);
});

test("a file that cannot be written is refused with what to do", () => {
  const path = folder();
  for (const file of [path, join(path, "nowhere", "calls.jsonl")])
    expect(() => new CallRecord(file)).toThrow(
      new RegExp(`^calls cannot be recorded in ${file} \\(E.*\\): name a file that can be written in container-platform:record or `),
    );
});
