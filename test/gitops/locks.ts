import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Run } from "../support/pulumi.ts";
import { GitRepository } from "./git-repository.ts";
import { githubJob, runStep } from "./pipeline.ts";
import type { stateServers } from "./state-servers.ts";

/** With HOLD set, the program waits while there is a file `vault`: an `up` that is under way. */
const program = (range: string) => `
import { existsSync, writeFileSync } from "node:fs";
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
if (process.env.HOLD) {
  writeFileSync("artifacts", String(process.pid));
  while (existsSync("vault")) await new Promise((resolve) => setTimeout(resolve, 100));
}
new Subnet("nodes", { subnetName: "nodes", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;

/** What the pipeline's commands do if somebody else deploys at the same time, or was killed. */
export function testsOfLocks(start: (typeof stateServers)[string]): () => void {
  return () => {
    let server: Awaited<ReturnType<typeof start>>;
    let repository: GitRepository;
    const runs: Run[] = [];

    beforeAll(async () => {
      server = await start();
      repository = new GitRepository(program("10.0.0.0/20"), "");
      Object.assign(repository.env, server.env, { PULUMI_EXPERIMENTAL: "true" });
      repository.deploy();
    });
    afterAll(async () => {
      for (const run of runs) run.kill();
      await Promise.allSettled(runs.map(({ ended }) => ended));
      for (const run of runs) run.sweep();
      repository[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    });

    const apply = () => step("apply", "apply", "Apply just that");
    const locked = expect.stringContaining("the stack is currently locked by 1 lock(s)");
    function step(file: string, job: string, name: string, more: Readonly<Record<string, string>> = {}) {
      const { run = "" } = githubJob(file, job, anything).steps.find((one) => one.name === name) ?? {};
      return runStep(run, repository.folder, { ...repository.env, ...more, STACK: "dev" });
    }

    /** Somebody else's `up`, which is under way when this returns. */
    async function begin(): Promise<Run> {
      const [hold, begun] = [join(repository.folder, "vault"), join(repository.folder, "artifacts")];
      repository.write("vault", "");
      rmSync(begun, { force: true });
      const args = ["up", "--yes", "--skip-preview", "--stack", "dev"];
      const run = new Run(args, { folder: repository.folder, env: { ...repository.env, HOLD: "1" }, seconds: 200 });
      runs.push(run);
      await run.until(() => existsSync(begun) && existsSync(hold));
      return run;
    }

    async function plan(range: string): Promise<void> {
      repository.write("index.ts", program(range));
      rmSync(join(repository.folder, "review"), { recursive: true, force: true });
      expect(await step("preview", "preview", "Preview")).toMatchObject({ code: 0 });
      repository.run("pulumi", "preview", "--non-interactive", "--stack", "dev", "--save-plan", "review/plan.json");
    }

    test("while somebody deploys, a preview goes on, and an apply is refused and changes nothing", async () => {
      await plan("10.0.16.0/20");
      const other = await begin();
      const refused = await apply();
      expect(refused).toMatchObject({ output: locked });
      expect(refused.code).not.toBe(0);
      const previewed = await step("preview", "preview", "Preview", server.reader);
      expect(previewed).toEqual({ code: 0, output: expect.not.stringContaining("the preview ended with") });
      expect(await repository.subnets()).toEqual(["10.0.0.0/20"]);
      rmSync(join(repository.folder, "vault"));
      expect(await other.ended).toMatchObject({ code: 0 });
      expect(await repository.subnets()).toEqual(["10.0.16.0/20"]);
    });

    test("only a bucket has keys that may read and not deploy", async () => {
      expect(server.reader === undefined).toBe(server.env["PULUMI_BACKEND_URL"]?.startsWith("postgres:"));
      if (!server.reader) return;
      await plan("10.0.32.0/20");
      const { code, output } = await step("apply", "apply", "Apply just that", server.reader);
      expect([code === 0, output]).toEqual([false, expect.stringContaining("AccessDenied")]);
    });

    test("what a killed run has locked stays locked, until somebody who knows that it is dead removes the lock", async () => {
      await plan("10.0.48.0/20");
      const other = await begin();
      other.kill();
      await other.ended;
      other.sweep();
      for (let once = 0; once < 2; once++) expect(await apply()).toMatchObject({ output: locked });
      repository.run("pulumi", "cancel", "--yes", "--stack", "dev");
      expect(await apply()).toMatchObject({ code: 0 });
      expect(await repository.subnets()).toEqual(["10.0.48.0/20"]);
    });

    test("removing the lock of a run that is alive does not stop it: another one starts beside it", async () => {
      await plan("10.0.64.0/20");
      const other = await begin();
      repository.run("pulumi", "cancel", "--yes", "--stack", "dev");
      expect(await apply()).toMatchObject({ code: 0 });
      rmSync(join(repository.folder, "vault"));
      expect((await other.ended).output).toContain("there was a problem deleting the lock");
    });
  };
}

const anything = new Proxy<Record<string, string>>({}, { get: () => "" });
