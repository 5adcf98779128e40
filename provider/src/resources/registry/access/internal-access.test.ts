import { expect, test } from "vitest";
import { dedicatedDomain } from "./internal-access.ts";

test("VPCs have a domain of their own beside the public one; an address of this machine stands for both", () => {
  expect(dedicatedDomain("acme-images.registry.container-platform.internal")).toBe("acme-images-vpc.registry.container-platform.internal");
  expect(dedicatedDomain("127.0.0.1:41001")).toBe("127.0.0.1:41001");
});
