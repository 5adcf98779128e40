import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import type { Change, Report } from "../../provider/src/review/report.ts";
import { changeInPlace, creation, deletion, foreignPreview, preview, type Step, urnOf } from "./previews.ts";
import { reviewOfSteps, reviewOfTexts } from "./reviewed.ts";

const pem = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
}).privateKey;
const jwt = [
  "eyJhbGciOiJIUzI1NiJ9",
  Buffer.from('{"sub":"1234567890","name":"ops"}').toString("base64url"),
  "dBjftJeZ4CVPmB92K27uhbUJU1p1r",
].join(".");
const token = "x7Gq2LmV9sTz4RbK8wYc3NpH6dJf1AeU";
const password = "correct-horse-battery";
const script = Buffer.from(`#!/bin/sh\necho ${password} | passwd --stdin root\n`).toString("base64");
const kubeconfig = `apiVersion: v1\nkind: Config\nclusters: []\nusers:\n- name: admin\n  user:\n    client-key-data: ${Buffer.from(pem).toString("base64")}\n`;

/** A piece of a secret must not be shown either. */
const pieces = [
  ...[pem, jwt, token, password, script, kubeconfig],
  ...pem.split("\n").filter((line) => line.length > 20),
  Buffer.from(pem).toString("base64"),
  script.slice(0, 24),
];

const native = { password, lifecycle: { preInit: script }, subnetIds: [] };
const steps: readonly Step[] = [
  {
    ...{ kind: "NodePool", name: "workers", op: "update" },
    old: { native: { ...native, password: "another-password" }, labels: {} },
    now: { native, labels: { note: token, other: jwt } },
    outputs: { kubeconfig, token },
    paths: ["native.password", `labels["${token}"]`],
  },
  creation("Vpc", "made", { vpcName: pem, tags: { password, config: kubeconfig } }),
  deletion("SecurityGroup", "gone", { groupDescription: jwt, ingress: [{ policyDescription: token }] }),
  { ...changeInPlace("Namespace", { namespaceName: token }, { namespaceName: jwt }), op: "replace", because: ["namespaceName"] },
];

const diagnostics = [
  { severity: "warning", urn: urnOf("Vpc made"), message: `logging in with ${token} and Bearer ${jwt}` },
  { severity: "warning", message: `https://admin:${password}@example.org refused\n${pem}` },
  { severity: "info", message: kubeconfig },
  { severity: "error", urn: urnOf("NodePool workers"), message: `native: password=${password}, script ${script}` },
];

describe("a run with secrets in inputs, outputs, differences and diagnostics", () => {
  const events = diagnostics.map((diagnosticEvent, sequence) => JSON.stringify({ sequence, diagnosticEvent })).join("\n");
  const policy = { policyName: "names", policyPackName: "pack", enforcementLevel: "mandatory" };
  const violation = JSON.stringify({ policyEvent: { ...policy, resourceUrn: urnOf("Vpc made"), message: `has ${token}` } });
  const whole = preview(steps);
  const failed = preview(steps, diagnostics);

  test.for(Object.entries(formats))("shows none of them in the format %s", ([, render]) => {
    for (const texts of [[whole], [failed], [whole, `${events}\n${violation}`], [`${events}\n${violation}`]]) {
      const shown = render(reviewOfTexts(texts), "");
      for (const piece of pieces) expect(shown).not.toContain(piece);
    }
  });

  test("shows that a secret changes, and that another one stays the same", () => {
    const report = reviewOfTexts([whole]);
    expect(changed(report, "NodePool workers")).toMatchObject({ "native.password": ["secret", "secret", false] });
    const again = reviewOfSteps({
      kind: "Vpc",
      name: "x",
      op: "update",
      old: { tags: { token, a: "1" } },
      now: { tags: { token, a: "2" } },
    });
    expect(Object.keys(changed(again, "Vpc x"))).toEqual(["tags.a"]);
  });

  test("takes the engine's word for the change of a secret that the engine does not show", () => {
    const pool = (name: string) => ({ native: { password: "[secret]" }, name });
    const changedBy = (path: string) => reviewOfSteps({ ...changeInPlace("NodePool", pool("a"), pool("b")), paths: [path] });
    expect(Object.keys(changed(changedBy("name"), "NodePool x"))).toEqual(["name"]);
    expect(Object.keys(changed(changedBy("native.password"), "NodePool x"))).toContain("native.password");
  });
});

test("long values that are no secrets are shown: names, ids, addresses, checksums of images", () => {
  const plain = {
    image: `registry.example/team/app@sha256:${"0123456789abcdef".repeat(4)}`,
    urn: urnOf("Cluster platform"),
    address: "2001:db8:f743:2700:1:2:3:4/128",
    name: "production-frankfurt-cluster-2026-11",
    sentence: "Nodes and API server of the platform, and whoever else is allowed in",
  };
  const report = reviewOfSteps(creation("Vpc", "x", { tags: plain }));
  expect(report.changes[0]?.properties.map(({ after }) => after)).toEqual([{ kind: "value", value: plain }]);
});

function changed({ changes }: Report, called: string): Record<string, unknown> {
  const digest = (value: Change["properties"][number]["before"]) => (value.kind === "secret" ? value.digest : value);
  const found = changes.find((change) => change.called === called);
  return Object.fromEntries(
    (found?.properties ?? []).map(({ path, before, after }) => [path, [before.kind, after.kind, digest(before) === digest(after)]]),
  );
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const login = JSON.stringify({ auths: { "registry.example": { username: "pull", auth: base64("pull:hunter2-one") } } });

/** Texts in which people write secrets, and the part that nobody may see. */
const texts: readonly (readonly [text: string, secret: string])[] = [
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI", "wJalrXUtnFEMI"],
  ["export DB_PASS='hunter2-two' HOST=db", "hunter2-two"],
  ["MYSQL_PWD: hunter2-three", "hunter2-three"],
  ["connect with dbPassword=hunter2-four", "hunter2-four"],
  ['{"clientSecret": "hunter2-five"}', "hunter2-five"],
  ["AZURE_STORAGE_ACCOUNT_KEY=hunter2six==", "hunter2six"],
  ["ENCRYPTION_KEY=hunter2-seven", "hunter2-seven"],
  ["deploy --password hunter2-eight --verbose", "hunter2-eight"],
  ["curl -u admin:hunter2-nine https://example.org", "hunter2-nine"],
  ["docker login registry.example -u pull -p hunter2-ten", "hunter2-ten"],
  ["echo root:hunter2-eleven | chpasswd", "hunter2-eleven"],
  ["postgres://app:hunter2-twelve@db.example/app", "hunter2-twelve"],
  ["redis://:hunter2-thirteen@cache.example:6379", "hunter2-thirteen"],
  ["https://hooks.slack.com/services/T0AAA/B0BBB/abcdefgh", "abcdefgh"],
  ["https://discord.com/api/webhooks/1234567890/abcdefghij", "abcdefghij"],
  ["https://example.webhook.office.com/webhookb2/0f1e2d3c@4b5a", "0f1e2d3c"],
  ["https://open.feishu.example/open-apis/bot/v2/hook/0f1e2d3c-aaaa", "0f1e2d3c-aaaa"],
  ["https://chat.example.org/v1/spaces/AAA/messages?key=hunter2fourteen&threadKey=x", "hunter2fourteen"],
  ["https://api.telegram.org/bot123456:ABC-DEF/sendMessage", "ABC-DEF"],
  ["https://bucket.example/file?X-Amz-Signature=0f1e2d3c4b5a", "0f1e2d3c4b5a"],
  ["admin:$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", "N9qo8uLOickgx2ZMRZoMye"],
  ["$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq", "qFmFH.bQmmtXzyBY0s9v7Oicd2z4"],
  ["$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2g", "aGFzaGhhc2g"],
  ["{SSHA}0f1e2d3c4b5a6978hunter", "0f1e2d3c4b5a6978hunter"],
  [login, base64("pull:hunter2-one")],
  [base64(login), base64(login).slice(12)],
  [base64(JSON.stringify(JSON.parse(login), undefined, 2)), base64(JSON.stringify(JSON.parse(login), undefined, 2)).slice(12, 40)],
  [base64("APP_TOKEN=hunter2-fifteen\n"), base64("APP_TOKEN=hunter2-fifteen\n").slice(8, 24)],
];

/** A secret wherever a program, the platform or the engine can write it. */
const places: Readonly<Record<string, (text: string) => string>> = {
  "an input": (text) => preview([creation("Vpc", "x", { vpcName: text })]),
  "a tag": (text) => preview([{ ...changeInPlace("Vpc", { tags: {} }, { tags: { note: text } }), paths: ["tags.note"] }]),
  "a list of a deleted resource": (text) =>
    preview([changeInPlace("SecurityGroup", { ingress: [{ policyDescription: text }] }, { ingress: [] })]),
  "a warning": (text) => preview([creation("Vpc", "x")], [{ severity: "warning", message: `said: ${text}` }]),
  "an error": (text) => preview([], [{ severity: "error", urn: urnOf("Vpc x"), message: `the platform refused it: ${text}` }]),
};

describe.each(Object.entries(places))("in %s", (place, previewWith) => {
  test.for(texts)("%s is not shown", ([text, secret]) => {
    const report = reviewOfTexts([previewWith(text)]);
    for (const [format, render] of Object.entries(formats)) expect(render(report, ""), `${place}, ${format}`).not.toContain(secret);
  });
});

describe("a value is secret because of its name", () => {
  test.for<[string, object]>([
    ["a number", { password: 73_519_864 }],
    ["texts in a list", { passwords: ["open 73519864"] }],
    ["a text further in", { credentials: { user: "x", inner: { text: "open 73519864" } } }],
    ["a tag", { tags: { db_password: "open 73519864" } }],
    ["a pair of name and value", { env: [{ name: "DB_PASSWORD", value: "open 73519864" }] }],
    ["a pair of key and value", { parameters: [{ key: "webhook-url", value: "open 73519864" }] }],
    ["what Kubernetes writes in base64 for you", { stringData: { config: "open 73519864" } }],
  ])("%s", ([, inputs]) => {
    const report = reviewOfTexts([foreignPreview(creation("Vpc", "x", { ...inputs }), "kubernetes:apps/v1:Deployment")]);
    for (const render of Object.values(formats)) expect(render(report, "")).not.toContain("73519864");
  });

  test("but not the names of our own inputs, whose definitions say what is secret", () => {
    const step: Step = {
      ...changeInPlace("Token", { tokenType: "temp" }, { tokenType: "longterm" }),
      op: "replace",
      because: ["tokenType"],
    };
    expect(formats.terminal(reviewOfSteps(step), "")).toContain("longterm");
  });
});

test.for([
  "Kubernetes 1.32 is newer than 1.30",
  "the namespace team-a has a secret pull-secret",
  "https://docs.example.org/guides/networks?page=2",
  "costs $5 a month, or $100 a year",
])("%s is no secret", (text) => {
  const [shown] = reviewOfSteps(creation("Vpc", "x", { vpcName: text })).changes;
  expect(shown?.properties[0]?.after.kind).toBe("value");
});
