import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scratch } from "../scratch.fixture.ts";
import { RememberedPorts } from "./ports.ts";

test("a port that cannot be remembered is closed again, and tried again with the next server", async () => {
  const folder = scratch();
  const blocked = join(folder, "blocked");
  writeFileSync(blocked, "no folder");
  const ports = new RememberedPorts(join(blocked, "ports.json"));
  const first = createServer();
  await expect(ports.listen(first, "one")).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(first.listening).toBe(false);

  rmSync(blocked);
  const second = createServer();
  onTestFinished(() => void second.close());
  const address = await ports.listen(second, "one");
  const again = createServer();
  second.close();
  onTestFinished(() => void again.close());
  expect(await new RememberedPorts(join(blocked, "ports.json")).listen(again, "one")).toBe(address);
});
