import type { Snapshot } from "@container-platform/sdk/local";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { ProviderHere } from "../../support/provider-here.ts";
import type { Contents } from "../../support/world-content.ts";
import { Stage, withoutHistory } from "./stage.ts";

/**
 * A stage for all tests of a file, which share the provider and what was made before the first test. The provider is in this process, where
 * it begins anew in no time. A process of its own is for what only that can show: how it is killed, what it prints, and in `every-kind`
 * how resources of each kind fare in it.
 *
 * Each test has to leave the stage as it found it, or it fails. What a failed test leaves is taken away: the next test begins as if
 * there had been none before. After the last test, nothing is left once what was made before the first one is gone too.
 */
export function sharedStage(options?: { readonly provider: "here" }): Promise<Stage<ProviderHere>>;
export function sharedStage(options: { readonly provider: "process" }): Promise<Stage>;
export async function sharedStage({ provider = "here" }: { readonly provider?: "here" | "process" } = {}): Promise<Stage> {
  const stage = provider === "here" ? Stage.here() : await Stage.open();
  let start: { readonly snapshot: Snapshot; readonly contents: Contents; readonly made: number };
  // Also false after a test whose own `afterEach` has failed: then the one below is not called.
  let isAsItWas = true;
  const putBack = async (): Promise<void> => {
    if (!isAsItWas) await stage.goBack(start.snapshot, start.made);
    isAsItWas = true;
  };

  beforeAll(async () => {
    start = { snapshot: await stage.snapshot(), contents: withoutHistory(await stage.contents()), made: stage.made };
  });
  beforeEach(async () => {
    await putBack();
    isAsItWas = false;
  });
  afterEach(async ({ task }) => {
    const found = { left: withoutHistory(await stage.contents()), printed: stage.host.printed.splice(0) };
    if (task.result?.state === "fail") return;
    expect(found, "what the test left in the world, and what its provider printed").toEqual({ left: start.contents, printed: [] });
    isAsItWas = true;
  });
  afterAll(async () => {
    try {
      await putBack();
      await stage.undoAll();
      expect({ left: await stage.contents(), printed: stage.host.printed }, "after the last test").toEqual({ left: {}, printed: [] });
    } finally {
      await stage[Symbol.asyncDispose]();
    }
  });
  return stage;
}
