import { expect, test } from "vitest";
import * as registry from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

test("a long-term token is listed, given another description and deleted", async () => {
  const at = stage();
  const registryId = await at.withNamespace();
  const tokens = async () => (await at.cloud.call(registry.describeInstanceToken, { registryId })).tokens;
  const asked = { registryId, tokenType: "longterm", desc: "of a test" } as const;
  const { tokenId, expTime, token } = await at.cloud.call(registry.createInstanceToken, asked);
  expect(await tokens()).toEqual([
    { id: tokenId, desc: "of a test", registryId, enabled: true, createdAt: "2026-01-31T12:00:02Z", expiredAt: expTime },
  ]);
  const kept = ["registryTokens", "audit"].flatMap((name) => at.world.prepare(`SELECT data FROM "${name}"`).all());
  expect(JSON.stringify(kept)).not.toContain(token);
  const modify = (change: { enable?: boolean; desc?: string; modifyFlag?: 1 | 2 }) =>
    at.cloud.call(registry.modifyInstanceToken, { registryId, tokenId, ...change });
  await modify({ enable: true, modifyFlag: 2 });
  await modify({ desc: "other", modifyFlag: 1 });
  expect(await tokens()).toMatchObject([{ desc: "other", enabled: true }]);
  await refused(modify({ desc: "other" }), "MissingParameter");
  await refused(modify({ enable: true, modifyFlag: 1 }), "MissingParameter");
  await at.cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
  await refused(at.cloud.call(registry.deleteInstanceToken, { registryId, tokenId }), "ResourceNotFound.TcrResourceNotFound", {
    kind: "notFound",
  });
  await refused(modify({ enable: true }), "ResourceNotFound.TcrResourceNotFound");
});

test("tokens are created in a running registry, and listed page by page", async () => {
  const at = stage();
  const registryId = await at.create();
  await refused(at.cloud.call(registry.createInstanceToken, { registryId }), "ResourceInsufficient.ErrorInstanceNotRunning");
  at.world.advance(2000);
  const ids: string[] = [];
  for (let index = 0; index < 3; index++)
    ids.push((await at.cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm" })).tokenId);
  const page = await at.cloud.call(registry.describeInstanceToken, { registryId, offset: 1, limit: 1 });
  expect([page.totalCount, page.tokens.map(({ id }) => id)]).toEqual([3, [ids[1]]]);
  await refused(at.cloud.call(registry.describeInstanceToken, { registryId: "tcr-00000000" }), "ResourceNotFound");
});
