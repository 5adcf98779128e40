import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { Faults, LocalPlatform, World } from "@container-platform/sdk/local";
import {
  createInstance,
  createNamespace,
  createRepository,
  deleteRepository,
  describeRepositories,
} from "@container-platform/sdk/registry";
import { getResources } from "@container-platform/sdk/tag";
import { createSecurityGroup } from "@container-platform/sdk/vpc";
import { expect, onTestFinished, test, vi } from "vitest";
import { Deployment } from "../../support/deployment.ts";
import { ProviderHere } from "../../support/provider-here.ts";
import { region } from "../stage/stage.ts";

/** What the intent log has of a resource goes once nothing of it is left: it would make what somebody else creates this user's own. */

function start() {
  const folder = mkdtempSync(join(tmpdir(), "outdated-entries-"));
  vi.stubEnv("XDG_STATE_HOME", folder);
  const world = World.open(":memory:", { timeScale: "instant" });
  const host = new ProviderHere(world, region);
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]();
    world.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) =>
      file.isFile() ? [join(file.parentPath, file.name)] : [],
    );
  return {
    host,
    faults: new Faults(world),
    cloud: new Cloud({ transport: new LocalPlatform(world), region }),
    log: () => files().map((file) => readFileSync(file, "utf8")),
    /** As if all of it had been written that long ago. */
    age: (seconds: number) => {
      for (const file of files()) utimesSync(file, new Date(), new Date(Date.now() - seconds * 1000));
    },
    /** A run that only plans something else, which ends in the regular way. */
    runWithout: async () => {
      await new Deployment(host, "SecurityGroup", "other").preview({ groupDescription: "other" });
      await host.restart("SIGINT");
    },
  };
}

/** A repository that a run has made, which was killed before it was saved. */
async function killedRepository({ cloud, host }: ReturnType<typeof start>) {
  const { registryId } = await cloud.call(createInstance, { registryName: "images", registryType: "basic" });
  await cloud.call(createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const repository = { registryId, namespaceName: "team", repositoryName: "web" };
  await new Deployment(host, "Repository", "left").up(repository);
  await host.restart("SIGKILL");
  return repository;
}

test("an entry whose resource is gone goes, so that a colleague's later one of the same name stays theirs", async () => {
  const started = start();
  const { cloud, host, age, log, runWithout } = started;
  const repository = await killedRepository(started);
  await cloud.call(deleteRepository, repository);
  age(61);
  await runWithout();
  expect(log()).toEqual([]);
  await cloud.call(createRepository, { ...repository, briefDescription: "theirs" });
  const refused = expect(new Deployment(host, "Repository", "left").up(repository)).rejects;
  await refused.toThrow("already exists, and this stack does not manage it");
});

test("an entry of the last minute stays, although its resource is not there: its creation may be under way", async () => {
  const started = start();
  const { cloud, age, log, runWithout } = started;
  const repository = await killedRepository(started);
  await cloud.call(deleteRepository, repository);
  age(50);
  await runWithout();
  expect(log()).toHaveLength(2);
});

test("an entry stays while its resource is there, and while that cannot be told", async () => {
  const started = start();
  const { cloud, faults, age, log, runWithout } = started;
  const repository = await killedRepository(started);
  age(61);
  await runWithout();
  expect(log()).toHaveLength(2);
  await cloud.call(deleteRepository, repository);
  faults.add({ operation: describeRepositories, when: "before", code: "InvalidParameter" });
  await runWithout();
  expect(log()).toHaveLength(2);
});

const group = { groupDescription: "left" };

/** A creation that fails, and of which nothing is found. */
async function failedGroup({ faults, host }: ReturnType<typeof start>): Promise<void> {
  faults.add({ operation: createSecurityGroup, when: "before", code: "InternalError", times: 1000 });
  await expect(new Deployment(host, "SecurityGroup", "left").up(group)).rejects.toThrow("InternalError");
  faults.clear();
  await host.restart("SIGINT");
}

test("the note of a creation that failed goes once the program does not have it", async () => {
  const started = start();
  await failedGroup(started);
  expect(started.log()).toHaveLength(1);
  started.age(61);
  await started.runWithout();
  expect(started.log()).toEqual([]);
});

test("the note of a creation that failed stays for a minute, and while the program has it", async () => {
  const started = start();
  const { host, age, log, runWithout } = started;
  await failedGroup(started);
  age(50);
  await runWithout();
  expect(log()).toHaveLength(1);
  age(61);
  await new Deployment(host, "SecurityGroup", "left").preview(group);
  await host.restart("SIGINT");
  expect(log()).toHaveLength(1);
});

test("the note of a creation stays while what it has made is pending, and where that cannot be listed", async () => {
  const started = start();
  const { host, faults, age, log, runWithout } = started;
  await new Deployment(host, "SecurityGroup", "left").up(group);
  await host.restart("SIGKILL");
  age(61);
  await runWithout();
  expect(log()).toHaveLength(1);
  faults.add({ operation: getResources, when: "before", code: "InvalidParameter" });
  await runWithout();
  expect(log()).toHaveLength(1);
});
