import { served } from "./served.ts";
import { specificationSuite } from "./suite.ts";

specificationSuite(
  "the specification, over HTTP",
  served(({ url }) => Promise.resolve([url])),
);
