import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this library. Frames in it do not belong to the program. */
const library = dirname(fileURLToPath(import.meta.url)).replace(/[\\/]shared$/, "");

/**
 * Pulumi takes a stack trace for each promise of a resource, about fifty, and shows them to those alone who look for leaked promises in
 * Pulumi itself. Writing them takes a third of the time of a program, so they are left empty.
 */
export function leaveOutTracesOfPromises(): void {
  if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) leaveOutTracesOf("debuggablePromise");
}

/**
 * Pulumi writes the line that constructs a resource into the state, and finds it in a stack trace. For components of the plugin, that line
 * would be in the plugin's own files. So the state has no line.
 */
export function leaveOutSourcePositions(): void {
  leaveOutTracesOf("callsites");
}

/** @param taker the name of Pulumi's function that takes a stack trace */
function leaveOutTracesOf(taker: string): void {
  writeTraces((before) => (error, sites) => (sites[0]?.getFunctionName() === taker ? "" : before(error, sites)));
}

/**
 * Pulumi finds the line of the program that constructs a resource in a stack trace. It does not recognise the frames of ES modules, and
 * takes those of this library for the program's. Until the patch is undone, stack traces are written so that Pulumi can read them.
 *
 * @returns a function that undoes the patch
 */
export function showProgram(): () => void {
  return writeTraces((before) => (error, sites) => readable(before(error, sites)));
}

type Writer = (error: Error, sites: NodeJS.CallSite[]) => unknown;

/** Has stack traces written by another function. @returns a function that undoes it */
function writeTraces(writer: (before: Writer) => Writer): () => void {
  const before: unknown = Reflect.get(Error, "prepareStackTrace");
  Error.prepareStackTrace = writer((error, sites): unknown =>
    typeof before === "function" ? Reflect.apply(before, Error, [error, sites]) : [error, ...sites].map(String).join("\n    at "),
  );
  return () => Reflect.set(Error, "prepareStackTrace", before);
}

const frame = /^(\s*at )(?:async )?(?:(.+?) \()?(file:\/\/[^\s()]+|\/[^()]+|[A-Za-z]:\\[^()]+?)(:\d+:\d+)\)?$/;

/** A stack trace with every frame in the form `at name (/path:line:column)`. */
function readable(trace: unknown): unknown {
  if (typeof trace !== "string") return trace;
  const lines = trace
    .split("\n")
    .map((line) =>
      line.replace(
        frame,
        (_, at: string, name: string | undefined, file: string, place: string) =>
          `${at}${name ?? "<module>"} (${file.startsWith("file:") ? fileURLToPath(file) : file}${place})`,
      ),
    );
  // Pulumi skips one frame below its own, which it expects to be that of the resource's class. So the first frame of this library stays.
  const isOwn = (line: string) => line.includes(`(${library}`);
  const first = lines.findIndex(isOwn);
  return lines.filter((line, index) => index === first || !isOwn(line)).join("\n");
}
