/**
 * Pulumi takes a stack trace for each promise of a resource, about fifty, and shows them to those alone who look for leaked promises in
 * Pulumi itself. Writing them takes a third of the time of a program, so they are left empty.
 */
export function leaveOutPromiseTraces(): void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return;
  const before: unknown = Reflect.get(Error, "prepareStackTrace");
  Error.prepareStackTrace = (error, sites) => {
    if (sites[0]?.getFunctionName() === "debuggablePromise") return "";
    const text: unknown =
      typeof before === "function" ? Reflect.apply(before, Error, [error, sites]) : [error, ...sites].map(String).join("\n    at ");
    return text;
  };
}
