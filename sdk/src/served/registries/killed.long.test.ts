import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inRounds, seededNumbers } from "../../rounds.fixture.ts";
import { processes } from "./processes.fixture.ts";
import { sha256 } from "./stage.fixture.ts";

test("a server that is killed in the middle of an upload serves nothing that is not whole", { timeout: 1_000_000 }, async () => {
  const { serve } = await processes();
  await inRounds("a registry is killed during an upload", { whole: 40, seconds: 5 }, async (seed) => {
    const first = await serve();
    const bytes = randomBytes(20_000_000);
    const pushing = first.ask("POST", `/v2/team/web/blobs/uploads/?digest=${sha256(bytes)}`, { body: bytes }).catch(() => undefined);
    await sleep(seededNumbers(seed)() * 100);
    await first.kill();
    const answer = await pushing;
    const { ask, kill } = await serve();
    const found = await ask("GET", `/v2/team/web/blobs/${sha256(bytes)}`);
    if (answer?.status === 201) expect(found.bytes.equals(bytes)).toBe(true);
    else expect(found.status).toBe(404);
    await kill();
  });
});
