import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Run } from "../support/pulumi.ts";
import { GitRepository } from "./git-repository.ts";
import { anything, githubJob, runStep } from "./pipeline.ts";
import { stateServers } from "./state-servers.ts";

/** Only the engine locks a state, in a bucket and in PostgreSQL alike: what the pipeline's commands do if somebody else deploys, or was killed. */

/** With HOLD set, the program waits while there is a file `vault`: an `up` that is under way. */
const program = (range: string) => `
import { existsSync, writeFileSync } from "node:fs";
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
if (process.env.HOLD) {
  writeFileSync("data", String(process.pid));
  while (existsSync("vault")) await new Promise((resolve) => setTimeout(resolve, 100));
}
new Subnet("nodes", { subnetName: "nodes", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;

test.for(Object.entries(stateServers))(
  "while somebody deploys, a preview goes on, and an apply is refused until whoever knows that the run is dead removes its lock: %s",
  async ([, start]) => {
    await using server = await start();
    using repository = new GitRepository(program("10.0.0.0/20"), "");
    Object.assign(repository.env, server.env, { PULUMI_EXPERIMENTAL: "true", STACK: "dev" });
    repository.deploy();
    const step = (file: string, name: string, more: NodeJS.ProcessEnv = {}) => {
      const { run = "" } = githubJob(file, file, anything).steps.find((one) => one.name === name) ?? {};
      return runStep(run, repository.folder, { ...repository.env, ...more });
    };
    const apply = (more?: NodeJS.ProcessEnv) => step("apply", "Apply just that", more);
    const previewed = { code: 0, output: expect.not.stringContaining("the preview ended with") };
    const locked = { output: expect.stringContaining(server.conflict) };
    repository.write("index.ts", program("10.0.16.0/20"));
    mkdirSync(join(repository.folder, "review"));
    repository.run("pulumi", "preview", "--non-interactive", "--stack", "dev", "--save-plan", "review/plan.json");
    // Only a bucket has keys that may read, and not deploy.
    expect(server.reader !== undefined).toBe(server.env["PULUMI_BACKEND_URL"]?.startsWith("s3:") ?? false);
    if (server.reader) expect(await apply(server.reader)).toMatchObject({ output: expect.stringContaining("AccessDenied") });

    repository.write("vault", "");
    const args = ["up", "--yes", "--skip-preview", "--stack", "dev"];
    const other = new Run(args, { folder: repository.folder, env: { ...repository.env, HOLD: "1" }, seconds: 200 });
    try {
      await other.until(() => existsSync(join(repository.folder, "data")));
      expect(await apply()).toMatchObject(locked);
      expect(await step("preview", "Preview", server.reader)).toEqual(previewed);
    } finally {
      other.kill();
      await other.ended;
      other.sweep();
    }
    expect(await apply()).toMatchObject(locked);
    expect(await repository.subnets()).toEqual(["10.0.0.0/20"]);
    repository.run("pulumi", "cancel", "--yes", "--stack", "dev");
    expect(await apply()).toMatchObject({ code: 0 });
    expect(await repository.subnets()).toEqual(["10.0.16.0/20"]);
  },
);
