import { expect, test } from "vitest";
import { clustersNow } from "../../../local/cluster/access/kubeconfig.ts";
import { stage } from "../../../local/cluster/stage.fixture.ts";
import { ClockWatch } from "./control-planes.ts";

const day = 24 * 60 * 60 * 1000;

async function toldOf(now: number): Promise<{ clusterId: string; lines: readonly string[] }> {
  const { world, running } = await stage();
  world.freeze(now);
  const clusterId = await running();
  const lines: string[] = [];
  const watch = new ClockWatch(world, (line) => lines.push(line));
  // As often as a server looks.
  for (let times = 0; times < 3; times++) for (const place of await clustersNow(world)) watch.look(place);
  return { clusterId, lines };
}

test("a cluster that was made while the world was ahead is told of once, before any client has come", async () => {
  const { clusterId, lines } = await toldOf(Date.now() + 3 * day);
  expect(lines).toEqual([expect.stringMatching(`^cluster ${clusterId}: the world's clock was moved, .* clients do not trust it now$`)]);
});

test("a cluster that clients trust is not told of", async () => {
  expect((await toldOf(Date.now() - 3 * day)).lines).toEqual([]);
});
