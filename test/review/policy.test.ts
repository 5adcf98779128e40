import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

const reviewer = join(dirname(dirname(import.meta.dirname)), "provider", "bin", "container-platform-review.cjs");
const folder = mkdtempSync(join(tmpdir(), "container-platform-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

const told = z.object({
  verdict: z.string(),
  reasons: z.array(z.object({ code: z.string(), sentence: z.string() })),
  findings: z.array(z.object({ rule: z.string(), outcome: z.string(), enforcement: z.string() })),
});

interface Reviewed {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function review(...args: readonly string[]): Promise<Reviewed> {
  return new Promise((resolve) => {
    execFile(process.execPath, [reviewer, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** A preview that the engine has made of a change to the example. */
const recorded = (name: string): string => join(import.meta.dirname, "recorded", name);

function settings(text: string): string {
  const file = join(folder, "given.yaml");
  writeFileSync(file, text);
  return file;
}

test("without settings no rule is evaluated", async () => {
  const { stdout } = await review(recorded("permissionWidened.json"), "--format", "json");
  expect(told.parse(JSON.parse(stdout)).findings).toEqual([]);
});

test("a change that breaks a blocking rule is blocked, and resources that do not change are not judged", async () => {
  const file = settings("rules: { CP-IAM-001: block }");
  const { code, stdout } = await review(recorded("permissionWidened.json"), "--policy", file, "--format", "json");
  const { verdict, reasons, findings } = told.parse(JSON.parse(stdout));
  expect([code, verdict]).toEqual([4, "blocked"]);
  expect(findings).toEqual([{ rule: "CP-IAM-001", outcome: "fail", enforcement: "block" }]);
  expect(reasons).toContainEqual({ code: "policy", sentence: "CP-IAM-001: roleName makes a user the cluster's administrator." });
});

test("an exception is in the report, and the change needs only approval", async () => {
  const file = settings(
    'rules: { CP-IAM-001: block }\nexceptions: [{ rule: CP-IAM-001, resource: "UserPermission *", reason: until the audit is over, until: 9999-12-31 }]\n',
  );
  const { code, stdout } = await review(recorded("permissionWidened.json"), "--policy", file, "--format", "json");
  const { findings } = told.parse(JSON.parse(stdout));
  expect(code).toBe(3);
  expect(findings).toEqual([{ rule: "CP-IAM-001", outcome: "excepted", enforcement: "block" }]);
});

test("wrong settings are reported with file, line and the nearest name", async () => {
  const file = settings("rules:\n  CP-IAM-1: block\n");
  const { code, stderr } = await review(recorded("permissionWidened.json"), "--policy", file);
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}:2: rules.CP-IAM-1: there is no rule CP-IAM-1; maybe you meant CP-IAM-001`);
});
