/** Only the real engine runs programs with other compilers, versions of Pulumi and package managers, which are installed for it. */
import { programsOf } from "./program-suite.ts";
import { kinds } from "./programs.ts";

programsOf(kinds.filter(({ isCommon }) => !isCommon));
