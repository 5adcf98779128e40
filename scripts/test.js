import "./node-version.js";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, explain } from "./command.js";
import { withoutOwnNode } from "./packages.js";
import { foreground } from "./processes.js";
import { root, setUp } from "./setup.js";

// `npm test`: the checks of the sources, then the tests. With arguments: only the tests, and the arguments go to vitest.
// `npm run test:long`: only the files whose tests have a longer form, in that form. With arguments: what those name, in that form.
// The last line that is printed counts the tests.
await command(async () => {
  const { passed, failed } = await count().catch((error) => {
    explain(error);
    return { passed: 0, failed: 1 };
  });
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
});

async function count() {
  const [first, ...others] = process.argv.slice(2);
  const isLong = first === "--long";
  // Tests start hundreds of programs, and Node's compile cache makes each start faster.
  const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
  const env = { ...(await setUp()), ...compiled, ...(isLong && { CONTAINER_PLATFORM_TESTS: "long" }) };
  // vitest runs what any of its filters names: one for all long files would leave the others without effect.
  const args = isLong ? (others.length > 0 ? others : [".long.test.ts"]) : process.argv.slice(2);
  if (args.length === 0) {
    const code = await foreground("npm", ["run", "check"], { cwd: root, env: withoutOwnNode(root, env) });
    if (code !== 0) return { passed: 0, failed: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), "container-platform-tests-"));
  try {
    const report = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    // A long run of everything also has the suites of the provider against its native plugin.
    const runs = isLong && others.length === 0 ? [args, ["--project", "native"]] : [args];
    const total = { passed: 0, failed: 0 };
    for (const run of runs) {
      const code = await foreground("vitest", ["run", ...reporters, ...run], { cwd: root, env });
      const { passed, failed } = countIn(report);
      total.passed += passed;
      // A failure outside of tests (an uncaught error, a hook) counts, too.
      total.failed += failed === 0 && code !== 0 ? 1 : failed;
    }
    return total;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} report
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 */
function countIn(report) {
  // There is none of a run that was interrupted, or that could not start: its exit code tells.
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  /** @type {{ testResults: TestFile[] }} */
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const tests = testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  // A file that could not be loaded, or whose hooks failed, has no failed test to count.
  const failedFiles = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  return { passed, failed: failed + failedFiles.length };
}
