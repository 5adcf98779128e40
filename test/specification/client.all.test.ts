import { describe, test } from "vitest";
import { Client, ways } from "./client.ts";
import { clientProofs } from "./proofs/client.ts";

describe.each(ways)("the specification, through the client, %s", (way) => {
  for (const { title, run } of clientProofs)
    test(title, async () => {
      await using client = await Client.open(way);
      await run(client);
    });
});
