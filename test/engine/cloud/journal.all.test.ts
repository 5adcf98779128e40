/** The engine alone sends journal entries to Pulumi Cloud, in place of states. */
import { expect, test } from "vitest";
import { z } from "zod";
import { allTypes } from "../../lifecycle/all-types.ts";
import { called } from "../../lifecycle/program.ts";
import { textOf } from "../../lifecycle/program-text.ts";
import { testedShell } from "../../support/shell.ts";
import { Stack } from "../../support/stack.ts";
import type { Backend } from "../../support/state-service.ts";
import { carriedOut, command, killed, upKilledIn } from "../killed-runs.ts";

const exported = z.object({
  deployment: z.looseObject({
    resources: z.array(z.looseObject({ type: z.string(), id: z.string().optional() })).default([]),
    pending_operations: z.array(z.object({ type: z.string() })).default([]),
  }),
});

/** Differs from one update to the next, or from one backend to the other. */
const varying = /^(?:manifest|time|created|modified|secrets_providers|expTime|certificateAuthority|kubeconfig|kubeconfigExpiresAt)$/;

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

/** All types, one after another: the emulator draws the same IDs. */
const inTurn = allTypes().map((one, index, all) => {
  const [before] = all.slice(0, index).slice(-1);
  return before ? { ...one, dependsOn: [...(one.dependsOn ?? []), called(before)] } : one;
});

test("a program of all types has the same state in files, from journal entries, and from checkpoints on Pulumi Cloud", async () => {
  const deployed = async (backend: Backend, env: NodeJS.ProcessEnv = {}) => {
    await using stack = await Stack.create({ program: textOf(inTurn), backend, env });
    await stack.up();
    const state = comparable((await stack.ok("stack", "export", "--show-secrets")).stdout);
    const entries = backend === "files" ? 0 : stack.journaled;
    if (entries > 0) {
      await stack.up("--refresh", "--expect-no-changes");
      await stack.destroy();
      expect(stack.leftovers()).toEqual({});
      expect(await stack.resources()).toEqual([]);
    }
    return { state, entries };
  };
  const [files, journal] = [await deployed("files"), await deployed("cloud")];
  const checkpoints = await deployed("cloud", { PULUMI_DISABLE_JOURNALING: "true" });
  expect(journal.entries).toBeGreaterThan(2 * inTurn.length);
  expect(checkpoints.entries).toBe(0);
  expect(journal.state).toEqual(files.state);
  expect(checkpoints.state).toEqual(files.state);
});

const vpc = (options = "") => `
import { Ipv6Block, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" }, { ${options} });
`;
const withRegistry = `${vpc()}
import { RegistryInstance, Token } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "team-images", registryType: "basic", deleteBucket: true });
`;
const whole = (options = "") => `${withRegistry}
new Ipv6Block("block", { vpcId }, { ${options} });
new Token("pull", { registryId, desc: "pulled by team" });
`;

/** An `up` that waits for the response to a call, which the platform has carried out. */
async function waitingFor(stack: Stack, action: string) {
  stack.faults.add({ operation: { action }, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => carriedOut(stack, action) === 1);
  return run;
}

test("a second update is refused until the first one is canceled, or its lease has ended, and a preview is not", async () => {
  await using stack = await Stack.create({ program: vpc(), backend: "cloud", programs: "language-host" });
  const refused = async () =>
    expect((await stack.fails("refresh", "--yes", "--skip-preview")).output).toContain(
      "[409] Conflict: Another update is currently in progress.",
    );
  const run = await waitingFor(stack, "CreateVpc");
  await refused();
  await stack.preview();
  await killed(run);
  await refused();
  stack.endLease();
  expect((await stack.up()).output).toMatch(/recovering vpc-\w+, which an interrupted update created but did not save/);
  expect(carriedOut(stack, "CreateVpc")).toBe(1);
  await stack.up("--refresh", "--expect-no-changes");
});

/** The resources of which an `up` after a kill prints the import line or a warning, in place of recovering them: in the first update, and later. */
const cases = [
  { backend: "cloud", shows: [true, 1], first: [], later: [] },
  { backend: "late cloud", shows: [false, 0], first: testedShell === "native" ? [] : ["net"], later: ["block", "pull"] },
] as const;

test.each(cases)("$backend: what an export in the middle of an update shows decides what the next update recovers", async (one) => {
  await using stack = await Stack.create({ program: vpc(), backend: one.backend, programs: "language-host" });
  const shown = async () => {
    const { resources, pending_operations: operations } = exported.parse(JSON.parse(await stack.exported())).deployment;
    return [resources.some(({ type }) => type.startsWith("pulumi:providers:")), operations.length];
  };
  const run = await waitingFor(stack, "CreateVpc");
  expect(await shown()).toEqual(one.shows);
  await killed(run);
  await stack.ok("cancel", "--yes");
  expect(await shown()).toEqual([true, 1]);
  expect(await named(stack, vpc)).toEqual(one.first);

  stack.write(withRegistry);
  await stack.up();
  stack.write(whole());
  await upKilledIn(stack, "AssignIpv6CidrBlock", "CreateInstanceToken");
  expect(await named(stack, whole)).toEqual(one.later);
  expect(["CreateVpc", "AssignIpv6CidrBlock", "CreateInstance"].map((action) => carriedOut(stack, action))).toEqual([1, 1, 1]);
  expect(stack.count("registryTokens")).toBe(one.backend === "cloud" ? 1 : 2);
  await stack.up("--refresh", "--expect-no-changes");
  // After the update, the state proves whose the token is that a warning named.
  expect((await command(stack, "--orphans", "--delete")).code).toBe(0);
  expect(stack.count("registryTokens")).toBe(1);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

/** `pulumi up`; if it prints an import line, once more with that. Returns the names of the resources with such a line, or with a warning of a draft. */
async function named(stack: Stack, program: (options: string) => string): Promise<readonly string[]> {
  const { code, output } = await stack.start("up", "--yes", "--skip-preview").ended;
  const [, line] = /add \{ (import: "vpc-\w+") \}/.exec(output) ?? [];
  expect(code === 0).toBe(line === undefined);
  const names = [...output.matchAll(/\((\w+)\):\n +(?:error: |warning: .* has the note of this resource)/g)];
  if (line !== undefined) {
    stack.write(program(line));
    await stack.up();
  }
  return names.map(([, name = ""]) => name).toSorted();
}
