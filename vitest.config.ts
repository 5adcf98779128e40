import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files with the real engine, the client's examples and long sequences come first: a short one at the end leaves no processor idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\.long\.test\.ts$|\/test\/(cli|engine|gitops|readme)\//.test(moduleId);
    return (await super.sort(files)).sort((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

const elsewhere = ["**/node_modules/**", "**/dist/**", "**/.container-platform/**"];

export default defineConfig({
  test: {
    // A test waits now and then: with three files at a time, two processors always have something to do.
    maxWorkers: 3,
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["sdk/src/**/*.test.ts", "provider/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "specification",
          include: ["test/specification/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/**/*.test.ts"],
          exclude: [...elsewhere, "test/specification/**"],
          // What `expect.poll` looks for comes from another process, which may be slow to start on a busy machine; vitest waits a second.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
