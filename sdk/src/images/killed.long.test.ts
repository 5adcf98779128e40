import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { processes } from "./processes.fixture.ts";
import { sha256 } from "./stage.fixture.ts";

test.each([5, 15, 40, 80])("a server that is killed %d ms into an upload serves nothing that is not whole", async (moment) => {
  const { serve } = await processes();
  const first = await serve();
  const bytes = randomBytes(20_000_000);
  const pushing = first.ask("POST", `/v2/team/web/blobs/uploads/?digest=${sha256(bytes)}`, { body: bytes }).catch(() => undefined);
  await sleep(moment);
  first.child.kill("SIGKILL");
  const answer = await pushing;
  const { ask } = await serve();
  const found = await ask("GET", `/v2/team/web/blobs/${sha256(bytes)}`);
  if (answer?.status === 201) expect(found.bytes.equals(bytes)).toBe(true);
  else expect(found.status).toBe(404);
});
