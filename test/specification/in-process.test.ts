import { LocalPlatform } from "@container-platform/sdk/local";
import { specificationSuite } from "./suite.ts";

specificationSuite("the specification, in process", (world) => new LocalPlatform(world));
