import { expect, test } from "vitest";
import { definitions } from "../plan/definitions.ts";
import { Redactor } from "../plan/secrets.ts";
import { inputsOf } from "../plan/states.ts";
import { type Operation } from "../plan/subject.ts";
import { type Fields, Unknown } from "../plan/values.ts";
import { type KindName } from "../../resources/reviews.ts";
import { evaluate, type Judged } from "./evaluate.ts";
import { noSettings, settingsFrom } from "./settings.ts";

const today = "2026-06-30";

function subject(kind: KindName, name: string, inputs: Fields, operation: Operation = "create"): Judged {
  const type = `pulumi-nodejs:dynamic/container-platform:${kind}`;
  return { urn: `urn:pulumi:dev::shop::${type}::${name}`, kind, type, name, operation, inputs };
}

function group(port: string | Unknown, name = "bastion"): Judged {
  const rule = { protocol: "TCP", port, cidrBlock: "0.0.0.0/0", action: "ACCEPT", policyDescription: "administrators" };
  return subject("SecurityGroup", name, { groupDescription: "administrators' way in", ingress: [rule] });
}

function exceptionUntil(until: string, resource = "SecurityGroup bastion"): string {
  return `exceptions:\n  - { rule: CP-NET-002, resource: "${resource}", reason: moves in spring, until: ${until} }\n`;
}

const outcomes = (subjects: readonly Judged[], settings = "") =>
  evaluate(subjects, settingsFrom(settings, "p.yaml"), today).map(({ rule, outcome, enforcement }) => [rule, outcome, enforcement]);

test("a finding says what was found, where, how to correct it, and the ids of the rule elsewhere", () => {
  expect(evaluate([group("22")], noSettings, today)).toEqual([
    {
      rule: "CP-NET-002",
      severity: "high",
      enforcement: "block",
      outcome: "fail",
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/container-platform:SecurityGroup::bastion",
      property: "ingress[0]",
      sentence: "ingress[0] lets everyone reach SSH, port 22.",
      remedy: "Allow the CIDR blocks of administrators, or the security group of a bastion.",
      references: ["CIS AWS Foundations 3.0.0 5.2", "CIS AWS Foundations 3.0.0 5.3", "CKV_AWS_24"],
    },
  ]);
});

test("a value that is not known yet passes nothing", () => {
  const found = evaluate([group(new Unknown())], noSettings, today);
  expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["undetermined"]));
  expect(found.find(({ rule }) => rule === "CP-NET-002")).toMatchObject({
    enforcement: "block",
    property: "ingress[0].port",
    sentence: "ingress[0].port is not known yet, and with it whether this holds: SSH is not open to everyone.",
  });
});

test("settings switch rules off and on, and give them parameters", () => {
  expect(outcomes([group("22")], "rules: { CP-NET-002: off }")).toEqual([]);
  expect(outcomes([group("22")], "rules: { CP-NET-002: advise }")).toEqual([["CP-NET-002", "fail", "advise"]]);
  const endpoint = subject("ClusterEndpoint", "public", { isExtranet: true, allowedCidrBlocks: ["203.0.113.0/24"], renewBefore: "720h" });
  expect(outcomes([endpoint])).toEqual([["CP-END-001", "fail", "advise"]]);
  expect(outcomes([endpoint], "rules: { CP-END-001: off, CP-END-003: { parameters: { ipv4: 28 } } }")).toEqual([
    ["CP-END-003", "fail", "require-approval"],
  ]);
});

test("an exception holds for its resource, to the end of its last day", () => {
  for (const resource of ["SecurityGroup bastion", "SecurityGroup b*", "*::bastion", "*"])
    expect(outcomes([group("22")], exceptionUntil(today, resource))).toEqual([["CP-NET-002", "excepted", "block"]]);
  for (const resource of ["SecurityGroup", "SecurityGroup bastio.", "bastion"])
    expect(outcomes([group("22")], exceptionUntil(today, resource))).toEqual([["CP-NET-002", "fail", "block"]]);
  expect(evaluate([group("22")], settingsFrom(exceptionUntil(today), "p.yaml"), today)[0]?.sentence).toBe(
    "ingress[0] lets everyone reach SSH, port 22. An exception holds until 2026-06-30: moves in spring",
  );
});

test("an exception whose last day is over does not apply, and the finding says so", () => {
  const [finding] = evaluate([group("22")], settingsFrom(exceptionUntil("2026-06-29"), "p.yaml"), today);
  expect(finding).toMatchObject({
    outcome: "fail",
    sentence: "ingress[0] lets everyone reach SSH, port 22. The exception for it (moves in spring) ended on 2026-06-29.",
  });
});

test("an exception does not apply to what cannot be decided yet", () => {
  expect(outcomes([group(new Unknown())], exceptionUntil(today))).toContainEqual(["CP-NET-002", "undetermined", "block"]);
});

test("if everything is open, single ports are not reported as well, unless that rule is off", () => {
  const open = subject("SecurityGroup", "open", {
    groupDescription: "everything",
    ingress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT", policyDescription: "everything" }],
  });
  expect(outcomes([open])).toEqual([["CP-NET-001", "fail", "block"]]);
  expect(outcomes([open], "rules: { CP-NET-001: off }")).toContainEqual(["CP-NET-002", "fail", "block"]);
});

test("deleted resources, and those of other providers, are not checked", () => {
  expect(outcomes([{ ...group("22"), operation: "delete" }])).toEqual([]);
  expect(outcomes([{ ...group("22"), kind: undefined, type: "aws:ec2/securityGroup:SecurityGroup" }])).toEqual([]);
});

test.each([
  ["#!/bin/sh\nswapoff -a\n", []],
  ["#!/bin/sh\nexport DB_PASSWORD=x; curl -H 'Authorization: Bearer abcdefgh12345678' https://example.com\n", ["CP-POOL-004"]],
  ["#!/bin/sh\nDB_PASSWORD=hunter2-hunter2\n", ["CP-POOL-004"]],
  ["#!/bin/sh\nexport AWS_SECRET_ACCESS_KEY=abcdabcdabcd\n", ["CP-POOL-004"]],
  ["#!/bin/sh\nAPP_TOKEN: abcdabcdabcd\n", ["CP-POOL-004"]],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n", ["CP-POOL-004"]],
])("scripts are checked although they are base64: %j", (script, broken) => {
  const raw = { native: { lifecycle: { preInit: Buffer.from(script).toString("base64") } } };
  const inputs = inputsOf(raw, { redactor: new Redactor("key"), definition: definitions.NodePool, from: {} });
  const found = evaluate([subject("NodePool", "workers", inputs)], noSettings, today).map(({ rule }) => rule);
  expect(found.filter((rule) => rule === "CP-POOL-004")).toEqual(broken);
});
