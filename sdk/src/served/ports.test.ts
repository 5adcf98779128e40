import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../scratch.fixture.ts";
import { RememberedPorts } from "./ports.ts";

test("a port that cannot be remembered is closed again, and tried again with the next server", async () => {
  const folder = scratch();
  const blocked = join(folder, "blocked");
  writeFileSync(blocked, "no folder");
  const servers: Server[] = [];
  const serve = () => servers[servers.push(createServer()) - 1] ?? createServer();
  const portsHere = () => new RememberedPorts(join(blocked, "ports.json"), serve, () => undefined);
  const ports = portsHere();
  await expect(ports.open({ key: "one" })).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(servers[0]?.listening).toBe(false);

  rmSync(blocked);
  const address = await ports.open({ key: "one" });
  await ports[Symbol.asyncDispose]();
  await using again = portsHere();
  expect(await again.open({ key: "one" })).toBe(address);
});

test("a port that is no longer wanted while it opens is closed, and is not told as open", async () => {
  const ports = new RememberedPorts(
    join(scratch(), "ports.json"),
    () => createServer(),
    () => undefined,
  );
  const opening = ports.open({ key: "one" });
  await ports.keep([]);
  await opening;
  expect([ports.opened(), ports.addressOf("one")]).toEqual([[], undefined]);
});
