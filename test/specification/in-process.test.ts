import { LocalPlatform } from "@container-platform/sdk/local";
import { specificationSuite } from "./suite.ts";

specificationSuite("the specification, in process", (world) =>
  Promise.resolve({
    as: (uin: string) => Promise.resolve(new LocalPlatform(world, { uin })),
    close: () => Promise.resolve(),
  }),
);
