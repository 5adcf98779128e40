import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { root } from "../support/compiler.ts";

/** The manifests for Pulumi's Kubernetes operator, which cannot run here, against the fields of its definitions. */

const folder = join(root, "examples", "operator");
const read = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8");

/** A field's type; `!`: it is required where its parent is. */
type Fields = Readonly<Record<string, string>>;

/** What the manifests use of a pod, below `podTemplate`. */
const pod: Fields = {
  spec: "object",
  "spec.securityContext": "object",
  "spec.securityContext.fsGroup": "integer",
  "spec.containers": "array!",
  "spec.containers[]": "object",
  "spec.containers[].name": "string!",
  "spec.containers[].volumeMounts": "array",
  "spec.containers[].volumeMounts[]": "object",
  "spec.containers[].volumeMounts[].name": "string!",
  "spec.containers[].volumeMounts[].mountPath": "string!",
  "spec.volumes": "array",
  "spec.volumes[]": "object",
  "spec.volumes[].name": "string!",
  "spec.volumes[].persistentVolumeClaim": "object",
  "spec.volumes[].persistentVolumeClaim.claimName": "string!",
};
const workspace: Fields = {
  image: "string",
  securityProfile: "string",
  local: "object",
  "local.dir": "string",
  podTemplate: "object",
  ...below("podTemplate", pod),
};

/** Of `deploy/crds` of pulumi/pulumi-kubernetes-operator at 475dbc6c9d34: pulumi.com_stacks (v1) and auto.pulumi.com_workspaces (v1alpha1). */
const definitions: Readonly<Record<string, Fields>> = {
  "pulumi.com/v1 Stack": {
    serviceAccountName: "string",
    stack: "string!",
    backend: "string",
    preview: "boolean",
    prerequisites: "array",
    "prerequisites[]": "object",
    "prerequisites[].name": "string!",
    refresh: "boolean",
    continueResyncOnCommitMatch: "boolean",
    resyncFrequencySeconds: "integer",
    destroyOnFinalize: "boolean",
    config: "map",
    envRefs: "map",
    "envRefs.*": "object",
    "envRefs.*.type": "string!",
    "envRefs.*.secret": "object",
    "envRefs.*.secret.name": "string!",
    "envRefs.*.secret.key": "string!",
    workspaceTemplate: "object",
    "workspaceTemplate.spec": "object",
    ...below("workspaceTemplate.spec", workspace),
    "workspaceTemplate.spec.podTemplate.spec.terminationGracePeriodSeconds": "integer",
  },
  "auto.pulumi.com/v1alpha1 Workspace": {
    serviceAccountName: "string",
    ...workspace,
    env: "array",
    "env[]": "object",
    "env[].name": "string!",
    "env[].value": "string",
    "env[].valueFrom": "object",
    "env[].valueFrom.secretKeyRef": "object",
    "env[].valueFrom.secretKeyRef.name": "string",
    "env[].valueFrom.secretKeyRef.key": "string!",
    stacks: "array",
    "stacks[]": "object",
    "stacks[].name": "string!",
  },
};

function below(parent: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([path, type]) => [`${parent}.${path}`, type]));
}

type Manifest = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Manifest => typeof value === "object" && value !== null && !Array.isArray(value);

/** What the definition has against a value, and the fields that are used. */
function faults(value: unknown, path: string, fields: Fields, used: Set<string>): string[] {
  const type = path === "" ? "object" : fields[path]?.replace("!", "");
  used.add(path);
  if (type === "map" || type === "object") {
    if (!isObject(value)) return [`${path} is no object`];
    const inside = (key: string) => (type === "map" ? `${path}.*` : path === "" ? key : `${path}.${key}`);
    const depth = path === "" ? 1 : path.split(".").length + 1;
    const required = Object.keys(fields).filter(
      (field) => fields[field]?.endsWith("!") && (path === "" || field.startsWith(`${path}.`)) && field.split(".").length === depth,
    );
    const missing = required.filter((field) => value[field.split(".").at(-1) ?? ""] === undefined).map((field) => `${field} is missing`);
    if (type === "map" && fields[`${path}.*`] === undefined) return missing;
    return [...missing, ...Object.entries(value).flatMap(([key, one]) => faults(one, inside(key), fields, used))];
  }
  if (type === "array")
    return Array.isArray(value) ? value.flatMap((one) => faults(one, `${path}[]`, fields, used)) : [`${path} is no list`];
  const actual = Number.isInteger(value) ? "integer" : typeof value;
  return actual === type ? [] : [`${path} is ${actual}, and ${type ?? "unknown"} in the definition`];
}

const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const manifests = files.flatMap((name) =>
  parseAllDocuments(read("examples", "operator", name)).map((document): Manifest => {
    const manifest: unknown = document.toJS();
    if (!isObject(manifest)) throw new Error(`${name} has a document that is no manifest`);
    return manifest;
  }),
);
const kindOf = ({ apiVersion, kind }: Manifest) => `${String(apiVersion)} ${String(kind)}`;

test.each(Object.entries(definitions))("%s: the manifests have fields of the definition, and those that it requires", (kind, fields) => {
  const ofKind = manifests.filter((manifest) => kindOf(manifest) === kind);
  const used = new Set<string>();
  expect(ofKind.flatMap(({ spec }) => faults(spec, "", fields, used))).toEqual([]);
  expect(Object.keys(fields).filter((path) => !used.has(path))).toEqual([]);
  // A field that is misspelt, and one of another type.
  const wrong = { ...Object(ofKind[0]?.["spec"]), stak: "prod", serviceAccountName: 1 };
  const said = ["stak is string, and unknown in the definition", "serviceAccountName is integer, and string in the definition"];
  expect(faults(wrong, "", fields, used).toSorted()).toEqual(said.toSorted());
});

test("the manifests, the image and the guide agree", () => {
  const text = files.map((name) => read("examples", "operator", name)).join("\n---\n");
  const named = (pattern: RegExp, from = text) => [...new Set([...from.matchAll(pattern)].map(([, found]) => found))].toSorted();
  const ofKind = (kind: string) =>
    manifests.filter((one) => one["kind"] === kind).map(({ metadata }) => isObject(metadata) && metadata["name"]);
  const guide = read("docs", "guides", "operator.md");
  expect(named(/serviceAccountName: (\S+)/g)).toEqual(ofKind("ServiceAccount"));
  expect(named(/claimName: (\S+)/g)).toEqual(ofKind("PersistentVolumeClaim"));
  expect(named(/name: platform, key: (\w+)/g)).toEqual(named(/--from-literal=(\w+)=/g, guide));
  expect(named(/dir: (\S+)/g)).toEqual(named(/pulumi install -C (\S+)/g, read("examples", "operator", "Dockerfile")));
  const variables = named(/(CONTAINER_PLATFORM_\w+)/g);
  for (const variable of variables) expect(read("docs", "reference", "configuration.md")).toContain(`\`${variable ?? ""}\``);
  for (const name of [...files, "Dockerfile"]) expect(guide).toContain(`examples/operator/${name}`);
  expect(manifests.map(kindOf).filter((kind) => kind.endsWith("Stack"))).toHaveLength(2);
});
