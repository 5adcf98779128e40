import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this library. Frames in it do not belong to the program. */
const library = dirname(fileURLToPath(import.meta.url)).replace(/[\\/]shared$/, "");

/**
 * Pulumi finds the line of the program that constructs a resource in a stack trace. It does not recognise the frames of ES modules, and
 * takes those of this library for the program's. Until the patch is undone, stack traces are written so that Pulumi can read them.
 *
 * @returns a function that undoes the patch
 */
export function showProgram(): () => void {
  const before: unknown = Reflect.get(Error, "prepareStackTrace");
  Error.prepareStackTrace = (error, sites) =>
    readable(typeof before === "function" ? Reflect.apply(before, Error, [error, sites]) : [error, ...sites].map(String).join("\n    at "));
  return () => {
    Reflect.set(Error, "prepareStackTrace", before);
  };
}

const frame = /^(\s*at )(?:async )?(?:(.+?) \()?(file:\/\/[^\s()]+|\/[^()]+|[A-Za-z]:\\[^()]+?)(:\d+:\d+)\)?$/;

/** A stack trace with every frame in the form `at name (/path:line:column)`. */
function readable(trace: unknown): unknown {
  if (typeof trace !== "string") return trace;
  // Pulumi skips one frame below its own, which it expects to be that of the resource's class. So the first frame of this library stays.
  let passed = false;
  return trace
    .split("\n")
    .map((line) =>
      line.replace(
        frame,
        (_, at: string, name: string | undefined, file: string, place: string) =>
          `${at}${name ?? "<module>"} (${file.startsWith("file:") ? fileURLToPath(file) : file}${place})`,
      ),
    )
    .filter((line) => {
      if (!line.includes(`(${library}`)) return true;
      const first = !passed;
      passed = true;
      return first;
    })
    .join("\n");
}
