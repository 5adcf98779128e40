import { expect, test } from "vitest";
import { noSettings, PolicyError, settingsFrom } from "./settings.ts";

test("an empty file has no settings", () => {
  expect(settingsFrom("", "policy.yaml")).toEqual(noSettings);
  expect(settingsFrom("# nothing yet\n", "policy.yaml")).toEqual(noSettings);
});

test("a rule is set in one word, or with parameters", () => {
  const text = `
rules:
  CP-NET-004: off
  CP-END-003: { enforcement: block, parameters: { ipv4: 28 } }
exceptions:
  - rule: CP-NET-002
    resource: SecurityGroup bastion-*
    reason: the bastion is replaced in spring
    until: 2026-12-31
otherProviders:
  trusted: ["kubernetes:apps/*"]
`;
  expect(settingsFrom(text, "policy.yaml")).toEqual({
    rules: { "CP-NET-004": { enforcement: "off" }, "CP-END-003": { enforcement: "block", parameters: { ipv4: 28 } } },
    exceptions: [
      { rule: "CP-NET-002", resource: "SecurityGroup bastion-*", reason: "the bastion is replaced in spring", until: "2026-12-31" },
    ],
    otherProviders: { needApproval: [], trusted: ["kubernetes:apps/*"] },
  });
});

test.each([
  ["rules:\n  CP-NET-2: block\n", "p.yaml:2: rules.CP-NET-2: there is no rule CP-NET-2; maybe you meant CP-NET-002"],
  ["rules:\n  SSH: block\n", "p.yaml:2: rules.SSH: there is no rule SSH; docs/reference/policies.md lists all"],
  [
    "rules:\n  CP-NET-004: off\n  CP-NET-002: blok\n",
    'p.yaml:3: rules.CP-NET-002.enforcement: "blok" is not one of off, advise, require-approval, block',
  ],
  ["rule:\n  CP-NET-002: block\n", "p.yaml:1: has no property rule; maybe you meant rules"],
  ["rules:\n  CP-END-003:\n    parameters:\n      ipv4: 40\n", "p.yaml:4: rules.CP-END-003.parameters.ipv4: takes at most 32, not 40"],
  [
    "rules:\n  CP-END-003:\n    parameters: { width: 40 }\n",
    "p.yaml:3: rules.CP-END-003.parameters: has no property width; it has ipv4, ipv6",
  ],
  ["rules:\n  CP-NET-002:\n    parameters: { ports: 40 }\n", "p.yaml:3: rules.CP-NET-002.parameters: the rule takes no parameters"],
  [
    "exceptions:\n  - rule: CP-NET-002\n    resource: SecurityGroup web\n    until: 2026-12-31\n",
    "p.yaml:2: exceptions[0].reason: is required",
  ],
  [
    "exceptions:\n  - rule: CP-NET-002\n    resource: SecurityGroup web\n    reason: asked for by the web team\n    until: next year\n",
    "p.yaml:5: exceptions[0].until: takes the last day on which it holds, such as 2026-12-31",
  ],
  [
    "exceptions:\n  - rule: CP-NET-002\n    resource: SecurityGroup web\n    reason: ok\n    until: 2026-12-31\n",
    "p.yaml:4: exceptions[0].reason: takes a reason in words, 10 characters at least",
  ],
  ["rules: [CP-NET-002]\n", "p.yaml:1: rules: takes an object, not an array"],
  ["- CP-NET-002\n", "p.yaml:1: takes an object, not an array"],
])("a mistake is reported with its line: %j", (text, message) => {
  expect(() => settingsFrom(text, "p.yaml")).toThrow(new PolicyError(message));
});

test("a syntax error is reported with its line", () => {
  expect(() => settingsFrom("rules:\n  CP-NET-002: [block\n", "p.yaml")).toThrow(/^p\.yaml:\d+: /);
});

test("all mistakes are reported at once", () => {
  expect(() => settingsFrom("rules:\n  CP-NET-002: blok\n  CP-NET-003: 7\n", "p.yaml")).toThrow(/:2: .*\n.*:3: /);
});
