import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loginComplaintOf } from "@container-platform/sdk/local";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { z } from "zod";
import { nameOf, operationsOf, type Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const newFirst = ["create-replacement", "replace", "delete-replaced"];

/** A registry, an office that may log in to it, and a token for that. */
const program = (token: string) => `
import { pullSecret, RegistryInstance, Token } from "@container-platform/pulumi";

const registry = new RegistryInstance("images", {
  registryName: "acme-images",
  deleteBucket: true,
  publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7/32" }] },
});
const token = new Token("pull", { registryId: registry.registryId, ${token} });
export const content = pullSecret({ registry, token, via: "public" });
export const { expTime } = token;
`;

const outputsForm = z.object({ content: z.string(), expTime: z.string() });
const contentForm = z.object({ auths: z.record(z.string(), z.object({ username: z.string(), password: z.string(), auth: z.string() })) });

interface Login {
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /** User and password as the content of the secret has them. */
  readonly auth: string;
}

/** The login that the stack exports for those who pull. */
async function given(stack: Stack): Promise<{ readonly login: Login; readonly expTime: string }> {
  const { stdout } = await stack.ok("stack", "output", "--json", "--show-secrets");
  const { content, expTime } = outputsForm.parse(JSON.parse(stdout));
  const [entry] = Object.entries(contentForm.parse(JSON.parse(content)).auths);
  if (!entry) throw new Error("the secret names no server");
  return { login: { server: entry[0], ...entry[1] }, expTime };
}

function complaint(stack: Stack, { server, username, password }: Login): string | undefined {
  return loginComplaintOf(stack.world, { server, username, password, from: { clientIp: "203.0.113.7" } });
}

const previewForm = z.object({
  steps: z.array(
    z.object({
      op: z.string(),
      urn: z.string(),
      replaceReasons: z.array(z.string()).optional(),
      diffReasons: z.array(z.string()).optional(),
    }),
  ),
  diagnostics: z.array(z.object({ urn: z.string().optional(), message: z.string() })).optional(),
});

/** Everything in the stack's folder: states, backups, history, intent log and the platform's world, without the packages. */
function kept(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
  const inside = folders.flatMap((one) => readdirSync(one, { recursive: true, withFileTypes: true }));
  const files = [...entries, ...inside].filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
}

/** The token's password, in clear, in base64, and in base64 with the user. */
function spellings({ password, auth }: Login): readonly string[] {
  return [password, Buffer.from(password).toString("base64"), auth];
}

function expectNowhere(secrets: readonly string[], folder: string, outcomes: readonly Outcome[]): void {
  const texts = kept(folder);
  expect(texts.length).toBeGreaterThan(20);
  for (const [index, secret] of secrets.entries()) {
    expect(secret.length).toBeGreaterThan(20);
    for (const { output, log } of outcomes) {
      expect(output.includes(secret), `secret ${index} in the output`).toBe(false);
      expect(log.includes(secret), `secret ${index} in the event log`).toBe(false);
    }
    expect(texts.filter((text) => text.includes(secret))).toHaveLength(0);
  }
}

test("a temp token that has expired is replaced by up, as the preview says, its dependents get the new secret, and no secret is shown", async () => {
  await using stack = await Stack.create({ program: program('tokenType: "temp"') });
  const outcomes: Outcome[] = [await stack.preview("--json"), await stack.up("--diff")];
  const first = await given(stack);
  expect(complaint(stack, first.login)).toBeUndefined();

  stack.world.advance(60 * 60_000);
  expect(complaint(stack, first.login)).toBe("unauthorized");
  const why = `the token ended at ${first.expTime}, and \`up\` makes a new one`;
  const before = stack.calls().length;
  const json = await stack.preview("--json");
  const { steps, diagnostics = [] } = previewForm.parse(JSON.parse(json.stdout));
  const replaced = steps.filter(({ urn }) => nameOf(urn) === "Token pull");
  expect(replaced).toMatchObject([{ op: "replace", replaceReasons: ["expTime"] }]);
  expect(diagnostics.filter(({ urn = "" }) => nameOf(urn) === "Token pull").map(({ message }) => message.trim())).toContain(why);
  const refreshed = await stack.refresh();
  expect(stack.writesSince(before)).toEqual([]);

  const renewed = await stack.up("--diff");
  expect(operationsOf(renewed)).toEqual({ "Token pull": newFirst });
  expect(renewed.output).toContain(why);
  const second = await given(stack);
  expect(second.login.password).not.toBe(first.login.password);
  expect(complaint(stack, second.login)).toBeUndefined();
  expect(Date.parse(second.expTime)).toBeGreaterThan(Date.parse(first.expTime));
  outcomes.push(json, refreshed, renewed, await stack.up("--refresh", "--expect-no-changes"));

  outcomes.push(await stack.ok("stack", "output"), await stack.ok("stack", "output", "--json"), await stack.ok("stack", "export"));
  outcomes.push(await stack.destroy("--diff"));
  expectNowhere([...spellings(first.login), ...spellings(second.login)], stack.folder, outcomes);
  // The token expires by itself, and is deleted with its registry.
  expect(stack.leftovers()).toEqual({});
});

test("a long-term token that was disabled by hand is enabled again by up --refresh, and no secret is shown", async () => {
  await using stack = await Stack.create({ program: program("") });
  const outcomes: Outcome[] = [await stack.up("--diff")];
  const { login } = await given(stack);
  expect(complaint(stack, login)).toBeUndefined();
  const [registryId = "", tokenId = ""] = ((await stack.resource("Token pull")).id ?? "").split("/");
  await stack.cloud().call(registry.modifyInstanceToken, { registryId, tokenId, enable: false });
  expect(complaint(stack, login)).toBe("unauthorized");

  const seen = await stack.preview("--refresh", "--diff");
  expect(operationsOf(seen)).toEqual({ "Token pull": ["update"] });
  const enabled = await stack.up("--refresh", "--diff");
  expect(operationsOf(enabled)).toEqual({ "Token pull": ["update"] });
  expect(complaint(stack, login)).toBeUndefined();
  expect((await given(stack)).login).toEqual(login);

  // A failure does not show it either.
  stack.faults.add({ operation: registry.modifyInstanceToken, when: "before", code: "InvalidParameter", reason: "not this one" });
  stack.write(program('desc: "for nodes"'));
  outcomes.push(seen, enabled, await stack.failingUp("--diff"), await stack.up("--diff"));
  expect((await given(stack)).login).toEqual(login);
  outcomes.push(await stack.destroy("--diff"));
  expectNowhere(spellings(login), stack.folder, outcomes);
  expect(stack.leftovers()).toEqual({});
});

test("a token that is replaced by force is deleted after the new one is made", async () => {
  await using stack = await Stack.create({ program: program("") });
  await stack.up();
  const { urn } = await stack.resource("Token pull");
  const before = stack.calls().length;
  await stack.up("--replace", urn);
  expect(stack.writesSince(before)).toEqual(["CreateInstanceToken", "ModifyInstanceToken", "DeleteInstanceToken"]);
  expect(complaint(stack, (await given(stack)).login)).toBeUndefined();
});
