import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import type { Change, Report } from "../../provider/src/review/report.ts";
import { changeInPlace, creation, deletion, preview, type Step, urnOf } from "./previews.ts";
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
