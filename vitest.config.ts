import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Which tests run: `daily` (`npm test`), `all` (`npm run test:all`), `rest` (all but the daily ones) or `long` (`npm run test:long`). The
 * ending of a file says where it belongs: `.test.ts` is run daily, `.all.test.ts` and `.long.test.ts` are not.
 */
const tests = process.env["CONTAINER_PLATFORM_TESTS"] ?? "daily";
const ending = { daily: "test", rest: "{all,long}.test", long: "long.test" }[tests] ?? "{test,all.test,long.test}";
const names = `*.${ending}.ts`;
const elsewhere = ["**/node_modules/**", "**/dist/**", "**/.container-platform/**"];
const notNow = tests === "daily" ? ["**/*.{all,long}.test.ts"] : [];

/** They need a browser, Kubernetes, clients of registries, or hosts and compilers that they install first: only `npm run test:long` has them. */
const needMore = [
  "test/engine/plugin/{languages,examples,executable,native-import,package-add}.long.test.ts",
  "test/engine/example/served.long.test.ts",
  "test/review/pages.long.test.ts",
  "test/{dashboard,entry-points,images,kubernetes}/*.long.test.ts",
];

/** Files that change their process for good: mocks of Pulumi's, a browser's window, the environment of all engines. */
const alone = ["test/engine/programs/testing", "test/provider/every-kind/properties", "test/provider/state/stub", "test/review/hostile"];
const anyOfAlone = alone.map((path) => `${path}.{test,all.test,long.test}.ts`);

/** The suites that drive the provider, with the native plugin in place of Pulumi's dynamic host. */
const native = { daily: [], long: ["test/lifecycle/*.long.test.ts"] }[tests] ?? [
  "test/provider/**/*.test.ts",
  "test/engine/cloud/*.test.ts",
];

/** The suites whose state is on an imitation of Pulumi Cloud, to which the engine sends journal entries. */
const cloud = {
  daily: [],
  long: ["test/engine/killed/interrupted.test.ts", "test/engine/ownership/*.test.ts"],
}[tests] ?? ["test/engine/killed/orphans.all.test.ts", "test/gitops/pipelines.all.test.ts"];

/** Files with the real engine and the client's examples come first: a short one at the end leaves no processor idle. Those of a project follow each other, as a process is one project's. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) =>
      `${/\.(all|long)\.test\.ts$|\/test\/(cli|engine|gitops|readme)\/|simulated-engine/.test(moduleId) ? "first" : "then"} ${project.name}`;
    return (await super.sort(files)).sort((one, other) => place(one).localeCompare(place(other)));
  }
}

const shared: ViteUserConfig["test"] = {
  pool: "forks",
  // A process runs one file after another. What they load, it loads once: each file leaves it as it has found it.
  isolate: false,
  // Node itself loads the tests and strips their types: it compiles nothing that its cache has. Nothing is mocked here.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};
// What `expect.poll` looks for comes from another process, which may be slow to start on a busy machine; vitest waits a second.
const expectation = { poll: { timeout: 60_000 } };
const quick = { expect: expectation, testTimeout: 60_000, hookTimeout: 60_000 };
const patient = { expect: expectation, testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    // A test waits now and then: with three files at a time, two processors always have something to do.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          ...quick,
          name: "unit",
          include: ["sdk/src", "provider/src", "scripts"].map((folder) => `${folder}/**/${names}`),
          exclude: [...elsewhere, ...notNow],
        },
      },
      {
        test: {
          ...shared,
          ...quick,
          name: "specification",
          include: [`test/specification/**/${names}`],
          exclude: [...elsewhere, ...notNow],
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "engine",
          include: [`test/**/${names}`],
          exclude: [...elsewhere, ...notNow, ...anyOfAlone, ...(tests === "long" ? [] : needMore), "test/specification/**"],
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "native",
          include: native,
          exclude: [...elsewhere, ...anyOfAlone],
          env: { TESTED_SHELL: "native" },
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "cloud",
          include: cloud,
          exclude: elsewhere,
          env: { TESTED_BACKEND: "cloud" },
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "alone",
          include: alone.map((path) => `${path}.${ending}.ts`),
          exclude: elsewhere,
          isolate: true,
        },
      },
    ],
  },
});
