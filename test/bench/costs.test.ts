import { expect, test } from "vitest";
import { greatestOf, type Sample } from "./costs.ts";

const own = "file:///clone/sdk/dist/shared";
const loader = "run node:internal/modules/esm/module_job";

test("a sample is of the first category that it fits, wherever that is in its stack; the greatest ten are shown", () => {
  const inProvider = (time: number, ...stack: string[]): Sample => ({ process: "provider", stack: stack.join("\n"), time });
  const samples: Sample[] = [
    inProvider(40, `get ${own}/world.js`, `call ${own}/client.js`, "check file:///clone/provider/dist/host.js"),
    inProvider(10, `parse ${own}/schemas.js`, `call ${own}/client.js`),
    inProvider(10, `parse ${own}/schemas.js`, loader),
    inProvider(10, "compileSourceTextModule node:internal/modules/esm/utils"),
    inProvider(10, "(program) "),
    { process: "engine", stack: "runtime.memmove\n github.com/pulumi/pulumi/pkg/v3/backend/diy.(*diyBackend).saveStack", time: 120 },
  ];
  expect(greatestOf(samples)).toEqual([
    ["writing the state before and after each step", "engine", "Pulumi", "60 %"],
    ["emulator", "provider", "this package; in production, the cloud", "20 %"],
    ["loading this package", "provider", "this package", "10 %"],
    ["API calls of the client", "provider", "this package", "5 %"],
    ["Node itself", "provider", "Node", "5 %"],
  ]);
});
