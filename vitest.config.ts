import { defineConfig } from "vitest/config";

const elsewhere = ["**/node_modules/**", "**/dist/**", "**/.container-platform/**"];

export default defineConfig({
  test: {
    // Engine, language host, program and provider are processes of their own: two files at a time keep a small machine busy.
    maxWorkers: 2,
    pool: "forks",
    projects: [
      {
        test: {
          name: "unit",
          include: ["sdk/src/**/*.test.ts", "provider/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "specification",
          include: ["test/specification/**/*.test.ts"],
          exclude: elsewhere,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/**/*.test.ts"],
          exclude: [...elsewhere, "test/specification/**"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
