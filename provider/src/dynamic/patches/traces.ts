/**
 * Pulumi takes a stack trace for each promise of a resource, about fifty, and shows them to those alone who look for leaked promises in
 * Pulumi itself. Writing them takes a third of the time of a program, so they are left empty.
 */
export function leaveOutPromiseTraces(): void {
  if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) leaveOutTracesOf("debuggablePromise");
}

/**
 * Pulumi writes into the state which line has made a resource, and finds it in a stack trace. Where components are made in the plugin, that
 * line is one of the plugin, wherever that is installed: nobody's program has it, and so the state has none.
 */
export function leaveOutSourcePositions(): void {
  leaveOutTracesOf("callsites");
}

/** @param taker the name of Pulumi's function that takes a stack trace */
function leaveOutTracesOf(taker: string): void {
  const before: unknown = Reflect.get(Error, "prepareStackTrace");
  Error.prepareStackTrace = (error, sites) => {
    if (sites[0]?.getFunctionName() === taker) return "";
    const text: unknown =
      typeof before === "function" ? Reflect.apply(before, Error, [error, sites]) : [error, ...sites].map(String).join("\n    at ");
    return text;
  };
}
