import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this library, whose frames are not the program's. */
const library = dirname(fileURLToPath(import.meta.url)).replace(/[\\/]shared$/, "");

/**
 * Pulumi finds out from a stack trace which line of the program constructs a resource. It overlooks the frames of ES modules, and takes
 * those of this library for the program's. From now on, and until the patch is undone, traces are written as Pulumi reads them.
 *
 * @returns what undoes the patch
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

/** Every frame in the form `at name (/path:line:column)`. */
function readable(trace: unknown): unknown {
  if (typeof trace !== "string") return trace;
  // Pulumi skips one frame below its own, which is that of a resource's class: the first frame of this library stays for that.
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
