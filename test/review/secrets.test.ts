import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { formats } from "../../provider/src/review/render/formats.ts";
import type { Change, Report } from "../../provider/src/review/report.ts";
import { preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

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

const planted = { pem, jwt, token, password, script, kubeconfig };
/** A piece of a secret must not be shown either. */
const pieces = [
  ...Object.values(planted),
  ...pem.split("\n").filter((line) => line.length > 20),
  Buffer.from(pem).toString("base64"),
  script.slice(0, 24),
];

function stepsWith(values: Readonly<Record<keyof typeof planted, string>>): Step[] {
  const native = { password: values.password, lifecycle: { preInit: values.script }, subnetIds: [] };
  return [
    {
      kind: "NodePool",
      name: "workers",
      op: "update",
      old: { native: { ...native, password: "another-password" }, labels: {} },
      now: { native, labels: { note: values.token, other: values.jwt } },
      outputs: { kubeconfig: values.kubeconfig, token: values.token },
      paths: ["native.password", `labels["${values.token}"]`],
    },
    {
      kind: "Vpc",
      name: "made",
      op: "create",
      now: { vpcName: values.pem, tags: { password: values.password, config: values.kubeconfig } },
    },
    {
      kind: "SecurityGroup",
      name: "gone",
      op: "delete",
      old: { groupDescription: values.jwt, ingress: [{ policyDescription: values.token }] },
    },
    {
      kind: "Namespace",
      name: "replaced",
      op: "replace",
      old: { namespaceName: values.token },
      now: { namespaceName: values.jwt },
      because: ["namespaceName"],
    },
  ];
}

const diagnostics = [
  { severity: "warning", urn: urnOf("Vpc made"), message: `logging in with ${token} and Bearer ${jwt}` },
  { severity: "warning", message: `https://admin:${password}@example.org refused\n${pem}` },
  { severity: "info", message: kubeconfig },
  { severity: "error", urn: urnOf("NodePool workers"), message: `native: password=${password}, script ${script}` },
];

describe("a run with secrets in inputs, outputs, differences and diagnostics", () => {
  const events = diagnostics.map((diagnosticEvent, sequence) => JSON.stringify({ sequence, diagnosticEvent })).join("\n");
  const violation = JSON.stringify({
    policyEvent: {
      resourceUrn: urnOf("Vpc made"),
      message: `has ${token}`,
      policyName: "names",
      policyPackName: "pack",
      enforcementLevel: "mandatory",
    },
  });
  const whole = preview(stepsWith(planted));
  const failed = preview(stepsWith(planted), diagnostics);

  test.for(Object.keys(formats))("shows none of them in the format %s", (format) => {
    for (const texts of [[whole], [failed], [whole, `${events}\n${violation}`], [`${events}\n${violation}`]]) {
      const report = reviewOfTexts(texts);
      for (const [name, render] of Object.entries(formats))
        if (name === format) for (const piece of pieces) expect(render(report, "")).not.toContain(piece);
    }
  });

  test("shows that a secret changes, and that another one stays the same", () => {
    const report = reviewOfTexts([whole]);
    expect(changed(report, "NodePool workers")).toMatchObject({ "native.password": ["secret", "secret", false] });
    const again = reviewOfTexts([
      preview([{ kind: "Vpc", name: "x", op: "update", old: { tags: { token, a: "1" } }, now: { tags: { token, a: "2" } } }]),
    ]);
    expect(Object.keys(changed(again, "Vpc x"))).toEqual(["tags.a"]);
  });

  test("takes the engine's word for the change of a secret that the engine does not show", () => {
    const step: Step = {
      kind: "NodePool",
      name: "x",
      op: "update",
      old: { native: { password: "[secret]" }, name: "a" },
      now: { native: { password: "[secret]" }, name: "b" },
    };
    expect(Object.keys(changed(reviewOfTexts([preview([{ ...step, paths: ["name"] }])]), "NodePool x"))).toEqual(["name"]);
    expect(Object.keys(changed(reviewOfTexts([preview([{ ...step, paths: ["native.password"] }])]), "NodePool x"))).toContain(
      "native.password",
    );
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
  const report = reviewOfTexts([preview([{ kind: "Vpc", name: "x", op: "create", now: { tags: plain } }])]);
  expect(report.changes[0]?.properties.map(({ after }) => after)).toEqual([{ kind: "value", value: plain }]);
});

function changed({ changes }: Report, called: string): Record<string, unknown> {
  const digest = (value: Change["properties"][number]["before"]) => (value.kind === "secret" ? value.digest : value);
  const found = changes.find((change) => change.called === called);
  return Object.fromEntries(
    (found?.properties ?? []).map(({ path, before, after }) => [path, [before.kind, after.kind, digest(before) === digest(after)]]),
  );
}
