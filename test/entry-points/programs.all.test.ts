/** Only the real engine runs programs of the kinds that users have most, installed with npm. The README's commands deploy the default template. */
import { programsOf } from "./program-suite.ts";
import { kinds } from "./programs.ts";

programsOf(
  kinds.filter(({ isCommon }) => isCommon),
  kinds.find(({ name }) => name === "JavaScript that requires"),
);
