import { runtime } from "@pulumi/pulumi";
import { afterEach, expect, test, vi } from "vitest";
import { Network } from "./network.ts";

afterEach(() => vi.unstubAllEnvs());

const [first, second, third] = ["eu-frankfurt-1", "eu-frankfurt-2", "eu-frankfurt-3"] as const;
const region = { region: "eu-frankfurt" };

test.each<[of: string, asked: number | readonly string[], remembered: object | undefined, made: readonly string[]]>([
  [
    "stays in the zones that its state remembers, although the region has other zones that come first",
    2,
    { ...region, available: [second, third], others: [first] },
    [`${second} 10.0.0.0/20`, `${third} 10.0.16.0/20`],
  ],
  [
    "that no longer has a zone moves no subnet of another one, whatever the order of the program",
    [third, first],
    { ...region, available: [first, second, third], others: [] },
    [`${first} 10.0.0.0/20`, `${third} 10.0.32.0/20`],
  ],
  [
    "grows into a zone that its region did not have when it was made",
    3,
    { ...region, available: [first, second], others: [] },
    [`${first} 10.0.0.0/20`, `${second} 10.0.16.0/20`, `${third} 10.0.32.0/20`],
  ],
  ["begins with the zones that the program names", [third, first], undefined, [`${third} 10.0.0.0/20`, `${first} 10.0.16.0/20`]],
])("a network %s", async (_, zones, output, made) => {
  vi.stubEnv("CONTAINER_PLATFORM_REGION", "eu-frankfurt");
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "local::memory:");
  const subnets: string[] = [];
  await runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      const state: Record<string, unknown> = { ...(inputs as object) };
      if (type.endsWith(":Subnet")) subnets.push(`${String(state["zone"])} ${String(state["cidrBlock"])}`);
      return { id: name, state: type === "pulumi:index:Stash" ? { ...state, output } : state };
    },
    call: () => ({}),
  });
  const network = new Network("net", { zones, dualStack: false });
  await runtime.disconnect();
  expect([network.roles, subnets]).toEqual([["nodes"], made]);
});
