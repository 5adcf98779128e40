import { createPublicKey, randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAuthority } from "../../../local/cluster/access/certificates.ts";
import { scratch } from "../../../scratch.fixture.ts";
import { writeKeys } from "./keys.ts";

async function start() {
  const folder = scratch();
  const authority = await makeAuthority("cls-1", randomBytes(32), Date.now());
  const file = (ending: string) => join(folder, `service-accounts.${ending}`);
  return { key: file("key"), pub: file("pub"), write: () => writeKeys(folder, "cls-1", authority) };
}

test("the keys of tokens stay from one start to the next, for nobody else to read", async () => {
  const { key, pub, write } = await start();
  await write();
  const before = [key, pub].map((file) => readFileSync(file, "utf8"));
  await write();
  expect([key, pub].map((file) => readFileSync(file, "utf8"))).toEqual(before);
  expect([key, pub].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});

test.each(["", "-----BEGIN PUBLIC KEY-----\nMFkw"])("keys of which a full disk or a kill has left %j are made anew", async (left) => {
  const { key, pub, write } = await start();
  writeFileSync(key, "");
  writeFileSync(pub, left);
  await write();
  const told = createPublicKey(readFileSync(pub, "utf8")).export({ type: "spki", format: "pem" });
  expect(createPublicKey(readFileSync(key, "utf8")).export({ type: "spki", format: "pem" })).toBe(told);
});
