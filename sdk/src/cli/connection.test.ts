import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { scratch } from "../scratch.fixture.ts";
import { placeFrom } from "./connection.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the configuration of a stack goes before a profile, unless an option names that; an option and the environment go before both", async () => {
  const home = scratch();
  mkdirSync(join(home, ".container-platform"));
  writeFileSync(join(home, ".container-platform", "credentials.yaml"), "work: { endpoint: https://of-profile, region: na-ashburn }\n");
  vi.stubEnv("HOME", home);
  const stack = { endpoint: "https://of-stack", region: "eu-frankfurt", profile: "work" };
  const reached = async (given: Parameters<typeof placeFrom>[0] = {}) => {
    const { endpoint, region } = await placeFrom(given, stack);
    return `${endpoint} ${region}`;
  };
  expect([await reached(), await reached({ profile: "work" })]).toEqual(["https://of-stack eu-frankfurt", "https://of-profile na-ashburn"]);
  vi.stubEnv("CONTAINER_PLATFORM_REGION", "ap-singapore");
  expect([await reached(), await reached({ profile: "work", endpoint: "https://given" })]).toEqual([
    "https://of-stack ap-singapore",
    "https://given ap-singapore",
  ]);
});
