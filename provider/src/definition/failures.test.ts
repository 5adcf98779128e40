import { ConfigurationError, InputError, PlatformError } from "@container-platform/sdk";
import { expect, test } from "vitest";
import { codes, messageOf, ProviderError } from "./codes.ts";
import { flawsInTimeouts, secondsOf } from "./duration.ts";
import { isRefused, isUnreadable, onNewestRead, passes, withTodo } from "./failures.ts";

/** What follows from the error of a call, and how times and errors read. */

const origin = { action: "CreateVpc", product: "vpc", requestId: "r-1" };
const failed = (kind: PlatformError["kind"], code = "Code") => new PlatformError(code, "it failed", origin, kind);

test.each([
  ["unreachable", false, false, false],
  ["transient", false, true, true],
  ["failed", false, false, false],
  ["throttled", true, false, true],
  ["unauthorized", true, false, true],
  ["inUse", true, false, false],
  ["notFound", true, false, false],
  ["unsent", true, false, false],
] as const)("an error of the kind %s: nothing was done %j, it passes %j, it says nothing of the resource %j", (kind, ...expected) => {
  expect([isRefused(failed(kind)), passes(failed(kind)), isUnreadable(failed(kind))]).toEqual(expected);
});

test("an error of the provider refuses if it is about the input or an existing resource", () => {
  const refusing = Object.keys(codes).filter((code) => isRefused(new ProviderError(code as keyof typeof codes, "")));
  expect(refusing.toSorted()).toEqual(["AlreadyExists", "CannotChange", "InvalidInput", "NotFound"]);
  expect([isRefused(new InputError("")), isRefused(new Error("")), passes(new Error("")), isUnreadable(new Error(""))]).toEqual([
    ...[true, false, false, false],
  ]);
});

test("the platform's reason comes with its code and request, and what to do", () => {
  expect(withTodo(failed("failed"), "Try again")).toBe("it failed (CreateVpc: Code, request r-1). Try again");
  const unsent = new PlatformError("Code", "it failed", { ...origin, requestId: "" }, "unsent");
  expect([withTodo(unsent, undefined), withTodo(new Error("x"), "y")]).toEqual(["it failed (CreateVpc: Code)", "x. y"]);
});

test("an error about a setting, an input or a cause has its code once", () => {
  expect(messageOf(new ConfigurationError("region is wrong"))).toBe("region is wrong [Provider.Configuration]");
  expect(messageOf(new InputError("zone: is wrong"))).toBe("zone: is wrong [Provider.InvalidInput]");
  const cause = new ProviderError("InUse", "x", { by: 'Subnet "a"' });
  expect(messageOf(new Error("deleting", { cause }))).toBe('deleting [Provider.InUse: - by Subnet "a"]');
  expect(messageOf(new Error("it [Provider.Failed]", { cause }))).toBe("it [Provider.Failed]");
});

test.each(["UnsupportedOperation.VersionMismatch", "UnsupportedOperation.DuplicatePolicy"])(
  "%s repeats the read and the write, and other errors do not",
  async (code) => {
    let calls = 0;
    const third = () => (++calls < 3 ? Promise.reject(failed("failed", code)) : Promise.resolve("done"));
    expect([await onNewestRead(third), calls]).toEqual(["done", 3]);
    await expect(onNewestRead(() => Promise.reject(failed("transient", `other ${++calls}`)))).rejects.toThrow("other 4");
    expect(calls).toBe(4);
  },
);

test.each([
  ["90s", 90],
  ["1h30m", 5400],
  ["1.5m", 90],
  ["500ms", 0.5],
  ["1m500ms", 60.5],
  ["", undefined],
  ["5", undefined],
  ["5 m", undefined],
  ["-5m", undefined],
  ["5d", undefined],
] as const)("the time %j has %j seconds", (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test("time-outs are times of operations, above 0", () => {
  const messages = (timeouts: object) => flawsInTimeouts(timeouts).map(({ message }) => message);
  expect(messages({ create: "1ms", read: "5m", update: undefined })).toEqual([]);
  expect(messages({ replace: "5m", create: "0s", update: "soon", delete: 5 })).toEqual([
    "customTimeouts.replace: is not an operation. Use create, read, update, delete",
    'customTimeouts.create: "0s" is not more than 0',
    'customTimeouts.update: "soon" is not a time such as 90s, 20m or 1h30m',
    "customTimeouts.delete: 5 is not a time such as 90s, 20m or 1h30m",
  ]);
});
