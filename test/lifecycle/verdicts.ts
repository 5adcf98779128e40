import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { expect } from "vitest";
import { testedShell } from "../support/shell.ts";
import { CollidingProgram, type Edit, type Run, turned } from "./collisions.ts";
import { called } from "./program.ts";
import type { Checkpoint, ResettableStack } from "./resettable-stack.ts";
import type { SimulatedStack } from "./simulated-stack.ts";

/** What previews say of random programs, and whether `up` does it. */

/** What somebody else has in the region. */
export async function addStrangers({ cloud }: Pick<ResettableStack, "cloud">): Promise<void> {
  await cloud.call(vpc.createVpc, { vpcName: "another", cidrBlock: "10.3.0.0/17" });
  await cloud.call(registry.createInstance, { registryName: "acme-5", registryType: "basic" });
}

/** Random programs, one after another, on the simulated engine. */
export class Verdicts {
  readonly #stack: SimulatedStack;
  readonly #empty: Checkpoint;
  /** How many programs were refused, and how many passed. */
  readonly tally = { refused: 0, passed: 0 };

  /** @param empty a stack without resources */
  constructor(stack: SimulatedStack, empty: Checkpoint) {
    this.#stack = stack;
    this.#empty = empty;
  }

  /**
   * A program that is edited again and again: what the preview passes, `up` carries out, in whatever order the engine comes to the
   * resources; and what the preview refuses, `up` would not carry out in every order.
   *
   * @param also called with each run, and whether the preview refuses it
   */
  async round(all: readonly (readonly Edit[])[], also?: (run: Run, isRefused: boolean) => Promise<void>): Promise<void> {
    await this.#stack.goBackTo(this.#empty);
    let program = new CollidingProgram();
    for (const some of all) {
      const next = program.edited(some);
      const before = await this.#stack.checkpoint();
      const run = { program: next.program.declarations, forced: next.forced };
      const { previews, ups } = await this.#verdictOf(run, before);
      const said = JSON.stringify({ some, previews, ups }, undefined, 1);
      const isRefused = previews.map((why) => why !== "");
      // The plugin is not told of dependsOn: its preview assumes that a later resource depends on an earlier one.
      if (testedShell === "dynamic") expect(new Set(isRefused).size, `the order decides: ${said}`).toBe(1);
      const failures = ups.filter((why, order) => isRefused[order] === false && why !== "");
      expect(failures, `passed, and failed: ${said}`).toEqual([]);
      const isAnyRefused = isRefused.includes(true);
      if (isAnyRefused) {
        this.tally.refused++;
        // The provider's own refusal says nothing of what the platform would do.
        expect(
          ups.filter((why) => /^not \w+, because /.test(why)),
          `never tried: ${said}`,
        ).toEqual([]);
        const isRight = ups.some((why) => why !== "");
        expect(isRight, `refused, and carried out: ${said}`).toBe(true);
        // The program stays as it was.
        await this.#stack.goBackTo(before);
      } else {
        this.tally.passed++;
        await this.#stack.restartProvider();
        program = next.program;
      }
      await also?.(run, isAnyRefused);
    }
  }

  /** Why previews and `up` fail in each order, each on the same state; an empty text if they do not. Each run has a provider of its own. */
  async #verdictOf({ program, forced }: Run, before: Checkpoint) {
    const orders = [...new Map([program, ...turned(program)].map((order) => [order.map(called).join(), order])).values()];
    const previews: string[] = [];
    for (const order of orders) {
      if (previews.length > 0) await this.#stack.restartProvider();
      previews.push((await this.#stack.up(order, { forced, isPreview: true })).failure ?? "");
    }
    const ups: string[] = [];
    for (const [index, order] of orders.entries()) {
      await this.#stack.goBackTo(before);
      ups.push((await this.#stack.up(order, { forced, isHeedless: previews[index] !== "" })).failure ?? "");
      // One failure says enough.
      if (!previews.includes("") && ups.some((why) => why !== "")) break;
    }
    return { previews, ups };
  }
}
