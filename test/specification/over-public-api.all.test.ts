import { publicOtherwise } from "./public-otherwise.ts";
import { served } from "./served.ts";
import { specificationSuite } from "./suite.ts";

specificationSuite(
  "the specification, in the form of the public API",
  served(({ url }) => Promise.resolve([`public:${url}`])),
  publicOtherwise,
);
