import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteRepository } from "@container-platform/sdk/registry";
import { serve } from "@container-platform/sdk/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { pushImage } from "../../sdk/src/served/registries/content.fixture.ts";
import { askerAt, basic } from "../../sdk/src/served/registries/stage.fixture.ts";
import { samplesIn } from "../docs/samples.ts";
import { root } from "../support/compiler.ts";
import { reviewOfTexts } from "../review/reviewed.ts";
import { Stack } from "../support/stack.ts";
import { clientWith } from "./served-cluster.ts";

/**
 * The programs that put objects onto the cluster that they make. The plugin of `@pulumi/kubernetes` is downloaded by Pulumi from where this
 * test cannot: so each program is compiled with the real package, and deployed with classes that only note their objects. kubectl applies
 * these, namespaces first: the noting classes are components, which do not wait for what their inputs depend on.
 */

const page = readFileSync(join(root, "docs/guides/kubernetes-workloads.md"), "utf8");
const programs = [
  ["the page", samplesIn(page).find(({ title }) => title === "index.ts")?.text ?? ""],
  ["the example", readFileSync(join(root, "examples/dual-stack/index.ts"), "utf8")],
] as const;

/** Classes of the same names. What they are given is in the state, with all values known. */
const noting = `
import { ComponentResource, output } from "@pulumi/pulumi";

class Noted extends ComponentResource {
  constructor(type, name, object, { provider, ...options } = {}) {
    super("noted:kubernetes:" + type, name, {}, options);
    this.object = output(object);
    this.metadata = output(object.metadata);
    this.status = output({ loadBalancer: { ingress: [] } });
    this.registerOutputs({ object: this.object });
  }
}

const kind = (apiVersion, kind) => class extends Noted {
  constructor(name, object, options) {
    super(kind, name, { apiVersion, kind, ...object }, options);
  }
};

export class Provider extends Noted {
  constructor(name, settings, options) {
    super("Provider", name, settings, options);
  }
}
export const core = { v1: { Namespace: kind("v1", "Namespace"), Secret: kind("v1", "Secret"), Service: kind("v1", "Service") } };
export const apps = { v1: { Deployment: kind("apps/v1", "Deployment") } };
`;

test("each program compiles with the package of Pulumi's that it names", () => {
  const folder = join(root, "node_modules/.cache/hand-over");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules/@pulumi/kubernetes"), { recursive: true });
  programs.forEach(([, program], index) => writeFileSync(join(folder, `${index}.ts`), program));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  // Without what it depends on: that is the project's own.
  const [tarball = ""] = run("npm", "pack", "--silent", "@pulumi/kubernetes@^4").trim().split("\n");
  run("tar", "-xzf", tarball, "-C", "node_modules/@pulumi/kubernetes", "--strip-components=1");
  for (const name of ["@pulumi/pulumi", "@container-platform", "@types", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", target: "es2023", types: ["node"] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: programs.map((_, index) => `${index}.ts`) }),
  );
  run(join(root, "node_modules/.bin/tsc"), "--project", ".");
});

const noted = z.object({ object: z.looseObject({ kind: z.string() }) });
const login = z.object({ username: z.string(), password: z.string() });
const outputsForm = z.object({ kubeconfig: z.string(), registryId: z.string(), publicDomain: z.string(), login });
const resources = z.array(z.object({ type: z.string(), outputs: z.unknown().optional() }));
const stateForm = z.object({ deployment: z.object({ resources }) });

test.for(programs)("objects of %s become available on the cluster of the same stack; destroying leaves nothing", async ([, program]) => {
  await using stack = await Stack.create({ program: "", served: true, seconds: 300 });
  writeFileSync(join(stack.folder, "kubernetes.ts"), noting);
  const server = await serve(stack.world, { images: {}, kubernetes: {} });
  onTestFinished(() => server.close());
  stack.configure({ "container-platform:endpoint": server.url });
  stack.write(program.replace('"@pulumi/kubernetes"', '"./kubernetes.ts"'));
  // All that needs approval is access that is opened.
  const { reasons } = reviewOfTexts([(await stack.preview("--json")).stdout]);
  expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(["access-opened"]));
  await stack.up();
  const told = async (...args: string[]): Promise<unknown> => JSON.parse((await stack.ok("stack", ...args, "--show-secrets")).stdout);
  const outputs = outputsForm.parse(await told("output", "--json"));
  const state = stateForm.parse(await told("export"));
  const objects = state.deployment.resources
    .filter(({ type }) => /^noted:kubernetes:(?!Provider)/.test(type))
    .map(({ outputs: given }) => noted.parse(plain(given)).object)
    .toSorted((one, other) => Number(other.kind === "Namespace") - Number(one.kind === "Namespace"));

  const { apply, get, eventually } = clientWith(outputs.kubeconfig);
  for (const object of objects) expect(await apply(object)).toMatch(/ created$/);
  await eventually(
    () => get("{.items[*].status.containerStatuses[*].state.waiting.message}", "pods", "-n", "shop"),
    /there is no manifest/,
  );
  await pushImage(askerAt(outputs.publicDomain, basic(outputs.login.username, outputs.login.password)), "shop/web", "v1");
  await eventually(() => get("{.status.availableReplicas}", "deployment", "web", "-n", "shop"), "2");
  const ips = objects.some(({ kind }) => kind === "Service") ? /^192\.0\.2\.\d+ 3fff::[0-9a-f:]+$/ : /^$/;
  await eventually(() => get("{.items[*].status.loadBalancer.ingress[*].ip}", "services", "-n", "shop"), ips);

  // A namespace of a registry is not deleted with images in it.
  await stack.cloud().call(deleteRepository, { registryId: outputs.registryId, namespaceName: "shop", repositoryName: "web" });
  await stack.destroy();
  expect(await stack.resources()).toEqual([]);
});

/** What the exported state has, without the marks of what is secret. */
function plain(value: unknown): object {
  const text = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && "plaintext" in one ? z.unknown().parse(JSON.parse(String(one.plaintext))) : one,
  );
  return z.looseObject({}).parse(JSON.parse(text));
}
