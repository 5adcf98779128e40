import { readFileSync } from "node:fs";
import { join } from "node:path";
import { putAccessKey, putSubAccount, setPermissions } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { Stack } from "../support/stack.ts";
import { Actions, deployedRepository } from "./actions.ts";
import { callers, Forge } from "./forge.ts";
import { GitRepository } from "./git-repository.ts";
import { allow } from "./pipeline.ts";

/** Only the engine shows that the pipelines preview, apply and look for drift as they are written. */

const program = (range: string, more = "") => `
import { readFileSync } from "node:fs";
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16", ${more} });
new Subnet("nodes", { subnetName: "nodes", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;
const policy = "rules: { CP-NET-023: { parameters: { prefix: 22 } } }\n";

/** The label that the comment or the gate asks for. */
const labelIn = (text: string, kind: "approved" | "pipeline") => new RegExp(`(${kind}:[0-9a-f]+)`).exec(text)?.[1] ?? "none";

const { forge, repository, actions } = await deployedRepository(program("10.0.0.0/20"), policy);
const ofGate = () => forge.comments.filter(({ author }) => author === callers.app);
const status = () => forge.statuses.map(({ context, state, creator }) => [context, state, creator])[0];

test("a change is previewed, and judged with the rules and the reviewer of the main branch", async () => {
  actions.change("A smaller subnet, and looser rules", () => {
    repository.write("index.ts", program("10.0.16.0/24"));
    repository.write("container-platform.policy.yaml", "rules: { CP-NET-023: off }\n");
  });
  for (let index = 0; index < 120; index++) forge.wrote("somebody", `comment ${index}`);
  forge.wrote("mallory", "<!-- container-platform-review: preview shop/dev -->\nAll is well.");
  expect(await actions.preview()).toMatchObject({ step: "Seal", code: 0 });

  const judged = await actions.gate();
  expect(judged).toMatchObject({ step: "Gate", code: 3 });
  expect(status()).toEqual(["infrastructure/dev", "failure", callers.app]);
  const [comment, ...more] = ofGate();
  expect(more).toEqual([]);
  expect(comment?.body).toContain("`Subnet nodes`");
  expect(comment?.body).toContain("CP-NET-023");
  expect(judged.output).toContain(`Needs approval: the label ${labelIn(comment?.body ?? "", "approved")}`);
});

test("what was merged is applied, if it is what was approved, and nothing else", async () => {
  for (const label of [labelIn(ofGate()[0]?.body ?? "", "approved"), `pipeline:${forge.pull.head.slice(0, 12)}`]) forge.label("bob", label);
  expect(await actions.decide()).toMatchObject({ code: 0 });
  expect(status()).toEqual(["infrastructure/dev", "success", callers.app]);
  expect(ofGate()).toHaveLength(1);
  actions.merge();
  expect(await actions.apply()).toMatchObject({ step: "Apply just that", code: 0 });
  expect(await repository.subnets()).toEqual(["10.0.16.0/24"]);

  // The same once more, had it not been approved, or not been judged; a status of another workflow proves nothing.
  forge.unlabel();
  expect(await actions.reviewed()).toMatchObject({ code: 3 });
  const own = forge.statuses.splice(0);
  forge.statuses.push(...own.map((one) => ({ ...one, creator: callers.workflow })));
  expect(await actions.reviewed()).toMatchObject({ code: 1 });
  forge.pull.merged = "";
  expect(await actions.reviewed()).toMatchObject({ code: 1 });
});

test("a change by hand has an issue, until it is corrected", async () => {
  await repository.renameSubnet("renamed by hand");
  expect(await actions.drift()).toMatchObject({ step: "Issue", code: 3 });
  expect(forge.issues.map(({ title, open }) => [title, open])).toEqual([["dev was changed outside of the program", true]]);
  expect(forge.issues[0]?.body).toContain("renamed by hand");
  await repository.renameSubnet("nodes");
  expect(await actions.drift()).toMatchObject({ code: 0 });
  expect(forge.issues.map(({ open }) => open)).toEqual([false]);
});

test("the key of a preview needs no other permissions than those of its list, on a whole platform", async () => {
  await using stack = await Stack.ofExample("platform", { served: true, seconds: 280 });
  await stack.up();
  const uin = await putSubAccount(stack.world, { name: "previews", allow });
  const { secretId, secretKey } = await putAccessKey(stack.world, { uin });
  Object.assign(stack.environment, { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey });
  const calls = stack.calls().length;
  await stack.preview("--refresh", "--expect-no-changes");
  expect(stack.calls().length).toBeGreaterThan(calls);
  expect(stack.writesSince(calls)).toEqual([]);
  await setPermissions(stack.world, uin, { allow: allow.filter((permission) => permission !== "cluster:DescribeClusters") });
  expect((await stack.fails("refresh", "--preview-only")).output).toContain("cluster:DescribeClusters");
});

test("a fork gets a preview on an empty platform, and no secrets", async () => {
  await using empty = await Forge.open();
  using fork = new GitRepository(program("10.0.0.0/20"), policy);
  empty.pull.branch = "main";
  expect(await new Actions(fork, empty).empty()).toMatchObject({ code: 0 });
  expect(readFileSync(join(fork.folder, "artifacts", "summary.md"), "utf8")).toContain("<code>Subnet nodes</code>");
});
