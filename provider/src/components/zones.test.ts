import { Network } from "@container-platform/pulumi";
import { runtime } from "@pulumi/pulumi";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

test("a network stays in the zones that its state remembers, although the region has other zones that come first", async () => {
  vi.stubEnv("CONTAINER_PLATFORM_REGION", "eu-frankfurt");
  vi.stubEnv("CONTAINER_PLATFORM_ENDPOINT", "local::memory:");
  const output = { region: "eu-frankfurt", available: ["eu-frankfurt-2", "eu-frankfurt-3"], others: ["eu-frankfurt-1"] };
  const subnets: unknown[] = [];
  await runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      const state: Record<string, unknown> = { ...(inputs as object) };
      if (type.endsWith(":Subnet")) subnets.push(state["zone"]);
      return { id: name, state: type === "pulumi:index:Stash" ? { ...state, output } : state };
    },
    call: () => ({}),
  });
  const { roles } = new Network("net", { zones: 2, dualStack: false });
  await vi.waitFor(() => expect(subnets).toHaveLength(2));
  expect([roles, subnets.toSorted()]).toEqual([["nodes"], ["eu-frankfurt-2", "eu-frankfurt-3"]]);
});
