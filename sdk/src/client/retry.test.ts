import { expect, test } from "vitest";
import { type ErrorKind, PlatformError } from "../operation/errors.ts";
import { Retries } from "./dispatcher.ts";

const quick = { attempts: 4, pause: 1, longest: 2 };
const failure = (kind: ErrorKind) => new PlatformError("Some.Code", "no", { product: "vpc", action: "CreateVpc", requestId: "" }, kind);

/** How often a call is made that always fails so. */
async function calls(kind: ErrorKind, repeatable: boolean): Promise<number> {
  let made = 0;
  const failed = new Retries(quick).run({ repeatable }, undefined, () => {
    made++;
    return Promise.reject(failure(kind));
  });
  await expect(failed).rejects.toMatchObject({ kind });
  return made;
}

test.each<[kind: ErrorKind, repeatable: number, other: number]>([
  ["throttled", 4, 4],
  ["unsent", 4, 4],
  ["transient", 4, 1],
  ["unreachable", 4, 1],
  ["invalid", 1, 1],
  ["failed", 1, 1],
])("%s: %d calls of what may be repeated, %d of what may not", async (kind, repeatable, other) => {
  expect(await calls(kind, true)).toBe(repeatable);
  expect(await calls(kind, false)).toBe(other);
});

test("pauses grow, differ, and keep within bounds", async () => {
  const pauses: number[] = [];
  let last = 0;
  const policy = { attempts: 6, pause: 20, longest: 100 };
  const failed = new Retries(policy).run({ repeatable: true }, undefined, () => {
    const now = performance.now();
    if (last > 0) pauses.push(now - last);
    last = now;
    return Promise.reject(failure("throttled"));
  });
  await expect(failed).rejects.toMatchObject({ kind: "throttled" });
  for (const [index, ceiling] of [20, 40, 80, 100, 100].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(ceiling / 2 - 2);
    expect(pauses[index]).toBeLessThan(ceiling + 50);
  }
  expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(1);
});

test("a pause ends when the call is given up", async () => {
  const stop = new AbortController();
  const policy = { attempts: 2, pause: 60_000, longest: 60_000 };
  const failed = new Retries(policy).run({ repeatable: true }, stop.signal, () => Promise.reject(failure("throttled")));
  setTimeout(() => stop.abort(), 20);
  await expect(failed).rejects.toThrow("aborted");
});

test("a platform that is down is called in vain for as long as the budget lasts, then once by each call", async () => {
  const retries = new Retries({ ...quick, budget: 5 });
  let made = 0;
  const down = () => {
    made++;
    return Promise.reject(failure("unreachable"));
  };
  const calls = Array.from({ length: 200 }, () => retries.run({ repeatable: true }, undefined, down));
  expect((await Promise.allSettled(calls)).every(({ status }) => status === "rejected")).toBe(true);
  expect(made).toBe(205);

  // Each success gives back what it took, and one more.
  await retries.run({ repeatable: true }, undefined, () => Promise.resolve());
  await retries.run({ repeatable: true }, undefined, () => Promise.resolve());
  made = 0;
  await expect(retries.run({ repeatable: true }, undefined, down)).rejects.toMatchObject({ kind: "unreachable" });
  expect(made).toBe(3);
});

test("calls that succeed in the end use nothing up", async () => {
  const retries = new Retries({ ...quick, budget: 3 });
  for (let call = 0; call < 10; call++) {
    let made = 0;
    const unsteady = () => (++made < 4 ? Promise.reject(failure("throttled")) : Promise.resolve(made));
    expect(await retries.run({ repeatable: false }, undefined, unsteady)).toBe(4);
  }
});
