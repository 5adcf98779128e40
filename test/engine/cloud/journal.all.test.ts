/** The engine alone sends journal entries to Pulumi Cloud, in place of states. */
import { expect, test } from "vitest";
import { z } from "zod";
import { allTypes } from "../../lifecycle/all-types.ts";
import { textOf } from "../../lifecycle/program-text.ts";
import { testedShell } from "../../support/shell.ts";
import { Stack } from "../../support/stack.ts";
import type { Backend } from "../../support/state-service.ts";
import { carriedOut, killed } from "../killed-runs.ts";

const exported = z.object({
  deployment: z.looseObject({
    resources: z.array(z.looseObject({ type: z.string(), id: z.string().optional() })).default([]),
    pending_operations: z.array(z.object({ type: z.string() })).default([]),
  }),
});

/** Differs from one update to the next, or from one backend to the other. */
const varying = /^(?:time|created|modified|secrets_providers|expTime|certificateAuthority|kubeconfig|kubeconfigExpiresAt)$/;

/** An export without the IDs that Pulumi draws, times, certificates and the way in which secrets are encrypted. */
function comparable(text: string): unknown {
  const { resources } = exported.parse(JSON.parse(text)).deployment;
  const drawn = resources.flatMap(({ type, id }) => (type.startsWith("pulumi:providers:") && id !== undefined ? [id] : []));
  const named = drawn.reduce((all, id) => all.replaceAll(id, "provider"), text);
  return JSON.parse(named, (key, value: unknown) => {
    if (varying.test(key)) return undefined;
    // The engine writes sets of URNs in any order.
    return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.toSorted() : value;
  });
}

test("a program of all types has the same state in files, from journal entries, and from checkpoints on Pulumi Cloud", async () => {
  const deployed = async (backend: Backend, env: NodeJS.ProcessEnv = {}) => {
    await using stack = await Stack.create({ program: textOf(allTypes()), backend, env });
    // One after another: the emulator draws the same IDs.
    await stack.up("--parallel", "1");
    const state = comparable((await stack.ok("stack", "export", "--show-secrets")).stdout);
    const entries = backend === "files" ? 0 : stack.journaled;
    await stack.up("--refresh", "--expect-no-changes");
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
    expect(await stack.resources()).toEqual([]);
    return { state, entries };
  };
  const [files, journal] = [await deployed("files"), await deployed("cloud")];
  const checkpoints = await deployed("cloud", { PULUMI_DISABLE_JOURNALING: "true" });
  expect(journal.entries).toBeGreaterThan(2 * allTypes().length);
  expect(checkpoints.entries).toBe(0);
  expect(journal.state).toEqual(files.state);
  expect(checkpoints.state).toEqual(files.state);
});

const vpc = (more = "") => `
import { SecurityGroup, Vpc } from "@container-platform/pulumi";
new Vpc("net", { cidrBlock: "10.0.0.0/16" });
${more}
`;

/** An `up` that waits for the response to the creation of its VPC, which the platform has carried out. */
async function creating(stack: Stack) {
  stack.faults.add({ operation: { action: "CreateVpc" }, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => carriedOut(stack, "CreateVpc") === 1);
  return run;
}

test("a second update is refused until the first one is canceled, or its lease has ended, and a preview is not", async () => {
  await using stack = await Stack.create({ program: vpc(), backend: "cloud", programs: "language-host" });
  const refused = async () =>
    expect((await stack.fails("refresh", "--yes", "--skip-preview")).output).toContain(
      "[409] Conflict: Another update is currently in progress.",
    );
  const run = await creating(stack);
  await refused();
  await stack.preview();
  await killed(run);
  await refused();
  stack.endLease();
  expect((await stack.up()).output).toMatch(/recovering vpc-\w+, which an interrupted update created but did not save/);
  expect(carriedOut(stack, "CreateVpc")).toBe(1);
  await stack.up("--refresh", "--expect-no-changes");
});

/** What the exports of an interrupted first update show, and whether the next update recovers its VPC. */
const cases = [
  { backend: "cloud", during: true, recovers: true },
  { backend: "late cloud", during: false, recovers: testedShell === "native" },
] as const;

test.each(cases)(
  "$backend: of an interrupted first update, the next one recovers what exports let it mark (recovers: $recovers)",
  async (one) => {
    await using stack = await Stack.create({ program: vpc(), backend: one.backend, programs: "language-host" });
    const shown = async () => {
      const { resources, pending_operations: operations } = exported.parse(JSON.parse(await stack.exported())).deployment;
      return [resources.some(({ type }) => type.startsWith("pulumi:providers:")), operations.length];
    };
    const run = await creating(stack);
    expect(await shown()).toEqual(one.during ? [true, 1] : [false, 0]);
    await killed(run);
    await stack.ok("cancel", "--yes");
    expect(await shown()).toEqual([true, 1]);
    const { code, output } = await stack.start("up", "--yes", "--skip-preview").ended;
    expect(code === 0).toBe(one.recovers);
    const [, id] = /add \{ import: "(vpc-\w+)" \}/.exec(output) ?? [];
    expect(id === undefined).toBe(one.recovers);
    if (id !== undefined) stack.write(vpc().replace('/16" }', `/16" }, { import: "${id}" }`));
    await stack.up();
    expect(carriedOut(stack, "CreateVpc")).toBe(1);
    await stack.up("--refresh", "--expect-no-changes");
  },
);
