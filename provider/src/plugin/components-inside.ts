import { createRequire } from "node:module";
import { getAsset } from "node:sea";
import { compileFunction, constants } from "node:vm";
import type { Construct } from "./construct-requests.ts";

// In the executable, this takes the place of `components/construct.ts`: the program that makes components is inside as a text, since Node
// puts one program into an executable.

const made: { construct?: Construct } = {};
const program = compileFunction(getAsset("components.cjs", "utf8"), ["exports", "require", "__filename"], {
  filename: "components.cjs",
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
Reflect.apply(program, undefined, [made, createRequire(process.execPath), process.execPath]);

export const construct: Construct = (request, around) => {
  if (!made.construct) throw new TypeError("the executable has no program that makes components");
  return made.construct(request, around);
};
