import { expect, test } from "vitest";
import { hasKubectl, isBuilt } from "./kubectl.ts";
import { processesWith } from "../support/processes.ts";
import { serveWorld } from "./stage.ts";

// Where the control plane is in the cache already: this run builds nothing.
test.runIf(hasKubectl && isBuilt)("a cluster that is served answers kubectl, and leaves no process behind", async () => {
  const { cluster, as, server, folder } = await serveWorld();
  const main = await as(await cluster());
  expect(await main.done("version")).toContain("Server Version: v1.34.1");
  expect(await main.done("get", "namespaces")).toContain("default");
  expect(await processesWith(folder)).toHaveLength(1);
  await server.close();
  expect(await processesWith(folder)).toEqual([]);
});
