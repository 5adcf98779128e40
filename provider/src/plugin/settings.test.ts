import { expect, test } from "vitest";
import { configurationFrom } from "../runtime/configuration.ts";
import { settingsReader } from "./settings.ts";

/** Whose region counts: that of the environment, or that which a provider is given. */

const environment = { CONTAINER_PLATFORM_REGION: "eu-frankfurt" };
const given = { endpoint: "local", region: "ap-singapore" };
const regionOf = async (name: string) => (await configurationFrom(settingsReader(name, given), environment)).region;

const ofEngine = ["default", "default_0_1_0", "default_1_22_333", "default_0_1_0_alpha_1", "default_0_1_0_https___example_com"];
test.each(ofEngine)("the environment wins over what the engine makes a provider of: %s", async (name) => {
  expect(await regionOf(name)).toBe("eu-frankfurt");
});

const ofProgram = ["sg", "default_2", "default_2_eu", "default_eu", "default2", "defaults", "my_default", "default_1_2_3x"];
test.each(ofProgram)("what a provider of the program is given wins over the environment: %s", async (name) => {
  expect(await regionOf(name)).toBe("ap-singapore");
});
