import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/server-process.ts";
import { StateService } from "../support/state-service.ts";

/** A server that keeps the engine's state: what the engine needs to reach it. */
interface StateServer extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  /** The same for a key that may only read, if the server has such. */
  readonly reader?: Readonly<Record<string, string>>;
  /** What the engine says if another update holds the stack. */
  readonly conflict: string;
}

const locked = "the stack is currently locked by 1 lock(s)";

/** How the state's servers that this machine has are started, by name. They are no packages of this repository. */
const there: Readonly<Record<string, () => Promise<StateServer>>> = {
  ...(spawnSync("sh", ["-c", "command -v versitygw"]).status === 0 && { "an S3-compatible bucket": bucket }),
  ...(postgresPrograms() !== undefined && { PostgreSQL: postgres }),
};

/** Without a bucket and PostgreSQL, the state is in files. */
export const stateServers: typeof there = {
  ...(Object.keys(there).length > 0 ? there : { files }),
  "an imitation of Pulumi Cloud": cloud,
};

/** Where the state is in files. */
function files(): Promise<StateServer> {
  return Promise.resolve({ env: {}, conflict: locked, [Symbol.asyncDispose]: () => Promise.resolve() });
}

async function cloud(): Promise<StateServer> {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-cloud-"));
  const service = await StateService.start(folder);
  return {
    env: service.env,
    conflict: "[409] Conflict: Another update is currently in progress.",
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const [key, secret] = ["test", "testsecret"];

async function bucket(): Promise<StateServer> {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-bucket-"));
  for (const name of ["data/state", "users"]) mkdirSync(join(folder, name), { recursive: true });
  const at = `127.0.0.1:${await freePort()}`;
  const args = ["--port", at, "--quiet", "--iam-dir", join(folder, "users"), "posix", join(folder, "data")];
  const server = spawn("versitygw", args, { env: { ...process.env, ROOT_ACCESS_KEY: key, ROOT_SECRET_KEY: secret }, stdio: "ignore" });
  for (let tries = 0; spawnSync("curl", ["-so", "/dev/null", `http://${at}/`]).status !== 0; tries++) {
    if (tries > 100) throw new Error("versitygw does not answer");
    await sleep(100);
  }
  const reader = { access: "reader", secret: "readersecret" };
  const admin = ["admin", "--access", key, "--secret", secret, "--endpoint-url", `http://${at}`, "--region", "us-east-1"];
  execFileSync("versitygw", [...admin, "create-user", "--access", reader.access, "--secret", reader.secret, "--role", "user"]);
  allowReading(at, reader.access);
  const url = `s3://state?endpoint=http://${at}&s3ForcePathStyle=true&region=us-east-1`;
  return {
    env: { PULUMI_BACKEND_URL: url, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret },
    conflict: locked,
    reader: { PULUMI_BACKEND_URL: url, AWS_ACCESS_KEY_ID: reader.access, AWS_SECRET_ACCESS_KEY: reader.secret },
    [Symbol.asyncDispose]: () => {
      server.kill("SIGKILL");
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
}

/** What docs/guides/gitops-github.md says that a preview needs of a bucket. */
function allowReading(at: string, user: string): void {
  const statement = {
    Effect: "Allow",
    Principal: { AWS: [user] },
    Action: ["s3:GetObject", "s3:ListBucket"],
    Resource: ["arn:aws:s3:::state", "arn:aws:s3:::state/*"],
  };
  const policy = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  const signed = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", `${key}:${secret}`];
  const digest = `x-amz-content-sha256: ${createHash("sha256").update(policy).digest("hex")}`;
  const args = ["--fail", "--silent", ...signed, "-X", "PUT", "-H", digest, "--data-binary", policy, `http://${at}/state?policy=`];
  execFileSync("curl", args);
}

function postgresPrograms(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin").find((folder) => spawnSync("ls", [join(folder, "initdb")]).status === 0);
}

async function postgres(): Promise<StateServer> {
  const [programs, folder, port] = [
    postgresPrograms() ?? "",
    mkdtempSync(join(tmpdir(), "container-platform-postgres-")),
    await freePort(),
  ];
  // PostgreSQL refuses to run as root.
  const isRoot = userInfo().uid === 0;
  if (isRoot) chownSync(folder, Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })), 0);
  const run = (command: string) =>
    execFileSync(isRoot ? "su" : "sh", isRoot ? ["postgres", "-c", command] : ["-c", command], { stdio: "ignore", cwd: folder });
  const data = join(folder, "data");
  run(`${programs}/initdb -D ${data} -A trust -U pulumi --no-sync`);
  run(`${programs}/pg_ctl -D ${data} -w -o "-p ${port} -k ${data} -c listen_addresses=127.0.0.1" -l ${folder}/log start`);
  run(`${programs}/psql -h 127.0.0.1 -p ${port} -U pulumi -d postgres -c "create database state"`);
  return {
    env: { PULUMI_BACKEND_URL: `postgres://pulumi@127.0.0.1:${port}/state?sslmode=disable` },
    conflict: locked,
    [Symbol.asyncDispose]: () => {
      run(`${programs}/pg_ctl -D ${data} -m immediate stop`);
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
}
