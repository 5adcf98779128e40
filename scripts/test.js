import "./node-version.js";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { command, explain } from "./command.js";
import { foreground, killThoseWith, workOfChildren } from "./processes.js";
import { root, setUp, withoutOwnNode } from "./setup.js";

// `npm test`: the tests of every day. `npm run test:all`: the checks, then all tests; with `--rest`, without those of `npm test`.
// `npm run test:long`: the random tests, with all their rounds. Further arguments go to vitest, and then the checks are left out.
// The last line that is printed counts the tests.

/** @typedef {{ passed: number, failed: number }} Count */

const [first = "", ...others] = process.argv.slice(2);
const isAll = first === "--all";
const tests = isAll ? (others[0] === "--rest" ? "rest" : "all") : first === "--long" ? "long" : "daily";
const args = tests === "daily" ? process.argv.slice(2) : tests === "rest" ? others.slice(1) : others;

await command(async () => {
  const { passed, failed } = await count().catch((error) => {
    explain(error);
    return { passed: 0, failed: 1 };
  });
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
});

/** @returns {Promise<Count>} */
async function count() {
  const prepared = await setUp();
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "container-platform-tests-"));
  // A server that a test starts as another user has its data in there.
  chmodSync(folder, 0o711);
  // Tests start hundreds of programs, and Node's compile cache makes each start faster. What they leave in the folder of temporary files
  // goes with this one, also if the run is interrupted.
  const env = {
    ...prepared,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    CONTAINER_PLATFORM_TESTS: tests,
    CONTAINER_PLATFORM_ROUNDS: join(folder, "rounds.txt"),
  };
  try {
    const checked =
      isAll && args.length === 0 ? await foreground("npm", ["run", "check"], { cwd: root, env: withoutOwnNode(prepared) }) : 0;
    if (checked > 128) {
      console.log("The checks were interrupted: no test was run, and the run counts as failed");
      return { passed: 0, failed: 1 };
    }
    const report = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await foreground("vitest", ["run", ...reporters, ...args], { cwd: root, env, withParent: "npm_lifecycle_event" in env });
    if (code > 128) console.log("The tests were interrupted: those that had not ended are not counted, and the run counts as failed");
    const { passed, failed, slowest } = readReport(report);
    if (code <= 128 && existsSync(report) && slowest.length === 0) console.log(noFile());
    showCost(slowest, begun, env.CONTAINER_PLATFORM_ROUNDS);
    // A failure outside of tests (an uncaught error, a hook) counts, too.
    return { passed, failed: (failed === 0 && code !== 0 ? 1 : failed) + (checked === 0 ? 0 : 1) };
  } finally {
    // Engines, servers and hosts that tests have started and an interruption has left: all have the folder in their environment.
    killThoseWith(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What is said of arguments for vitest that leave no file of tests. */
function noFile() {
  const asked = args.join(" ");
  return `No file of tests matches ${asked}${tests === "daily" ? `: \`npm run test:all -- ${asked}\` looks among all tests` : ""}`;
}

/**
 * @param {string} report
 * @typedef {{ name: string, status: string, startTime: number, endTime: number, assertionResults: { status: string }[] }} TestFile
 * @returns {Count & { slowest: string[] }}
 */
function readReport(report) {
  // There is none of a run that was interrupted, or that could not start: its exit code tells.
  if (!existsSync(report)) return { passed: 0, failed: 0, slowest: [] };
  /** @type {{ testResults: TestFile[] }} */
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const results = testResults.flatMap((file) => file.assertionResults);
  const passed = results.filter(({ status }) => status === "passed").length;
  const failed = results.filter(({ status }) => status === "failed").length;
  // A file that could not be loaded, or whose hooks failed, has no failed test to count.
  const failedFiles = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
  return { passed, failed: failed + failedFiles.length, slowest };
}

/**
 * @param {string[]} slowest
 * @param {number} begun
 * @param {string} rounds
 */
function showCost(slowest, begun, rounds) {
  if (existsSync(rounds)) console.log(`\nRounds of random tests:\n${readFileSync(rounds, "utf8").trimEnd()}`);
  if (slowest.length > 0) console.log(`\nSlowest files:\n${slowest.join("\n")}`);
  const work = workOfChildren();
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`\n${seconds} s of wall time${work === undefined ? "" : `, ${work.toFixed(0)} s of processor time`}`);
}
