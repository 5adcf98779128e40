import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files with the real engine, the client's examples and long sequences come first: a short one at the end leaves no processor idle. Those of
 * a project follow each other, as a process is one project's.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) =>
      `${/\.long\.test\.ts$|\/test\/(cli|engine|gitops|readme)\//.test(moduleId) ? "first" : "then"} ${project.name}`;
    return (await super.sort(files)).sort((one, other) => place(one).localeCompare(place(other)));
  }
}

/** Files that change their process for good: mocks of Pulumi's, a browser's window, the environment of all engines. */
const alone = [
  "test/engine/programs/testing.test.ts",
  "test/provider/every-kind/properties.test.ts",
  "test/provider/state/stub.test.ts",
  "test/review/{hostile,large}.test.ts",
];
const isLong = process.env["CONTAINER_PLATFORM_TESTS"] === "long";
/**
 * What is in the long run alone: language hosts, clients of registries, Kubernetes and an executable are built for it; a browser; a served
 * flagship. And programs of every kind, each with packages that it installs: the README's are installed and run in the short run.
 */
const longOnly = isLong
  ? []
  : [
      "test/engine/plugin/{languages,examples,executable,native-import}.long.test.ts",
      "test/engine/example/real-up.long.test.ts",
      "test/{doors/programs,images/clients,kubernetes/*,window/window}.long.test.ts",
    ];
const elsewhere = ["**/node_modules/**", "**/dist/**", "**/.container-platform/**"];

/**
 * The suites that drive the provider, and those that kill engines and providers, with the native plugin in place of Pulumi's dynamic host.
 * The short run has those of a few kinds.
 */
const native = isLong
  ? ["test/provider/**/*.test.ts", "test/engine/killed/{kill,kill-each-call,random-kills}.long.test.ts"]
  : ["test/provider/kinds/network/*.test.ts"];

const shared: ViteUserConfig["test"] = {
  pool: "forks",
  // A process runs one file after another. What they load, it loads once: each file leaves it as it has found it.
  isolate: false,
  // Node itself loads the tests and strips their types: it compiles nothing that its cache has. Nothing is mocked here.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  test: {
    // A test waits now and then: with three files at a time, two processors always have something to do.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["sdk/src/**/*.test.ts", "provider/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "specification",
          include: ["test/specification/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "engine",
          include: ["test/**/*.test.ts"],
          exclude: [...elsewhere, ...alone, ...longOnly, "test/specification/**"],
          // What `expect.poll` looks for comes from another process, which may be slow to start on a busy machine; vitest waits a second.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: "native",
          include: native,
          exclude: [...elsewhere, ...alone],
          env: { TESTED_SHELL: "native" },
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      { test: { ...shared, name: "alone", include: alone, exclude: elsewhere, isolate: true, testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
});
