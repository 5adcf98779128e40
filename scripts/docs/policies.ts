import { type Rule, rules } from "@container-platform/pulumi/policy-pack";
import type { z } from "zod";
import { code, codes, page, table } from "./markdown.ts";

/** What the rules are about, by the middle of their ids. */
const subjects: Readonly<Record<string, string>> = {
  NET: "Networks",
  CLU: "Clusters",
  END: "Access to clusters",
  API: "Control planes",
  POOL: "Nodes",
  KUB: "Kubelets",
  REG: "Registries",
  NS: "Namespaces of registries",
  TOK: "Tokens",
  IAM: "Permissions",
  ORG: "All resources",
};

/** The page of the rules, by file name: written from their table. */
export function policyPages(): Map<string, string> {
  return new Map([["policies.md", page(introduction, ...Object.entries(subjects).flatMap(([key, title]) => chapter(key, title)))]]);
}

function chapter(key: string, title: string): string[] {
  const own = rules.filter(({ id }) => id.split("-")[1] === key);
  if (own.length === 0) throw new Error(`there is no rule CP-${key}-…`);
  const overview = own.map(({ id, title: holds, severity, enforcement }) => [
    `[${id}](#${id.toLowerCase()})`,
    holds,
    severity,
    enforcement,
  ]);
  return [`## ${title}`, table(["Rule", "What has to hold", "Severity", "Enforcement"], overview), ...own.flatMap(ruleParts)];
}

function ruleParts(rule: Rule): string[] {
  const { id, title, kinds, why, remedy, within, cis = [], checkov = [] } = rule;
  const facts = [
    `About: ${kinds === "any" ? "every kind of resource" : codes(kinds)}.`,
    ...(within === undefined ? [] : [`Not told beside ${within}.`]),
    ...(cis.length === 0 ? [] : [`CIS: ${cis.join(", ")}.`]),
    ...(checkov.length === 0 ? [] : [`Checkov: ${checkov.join(", ")}.`]),
  ];
  const parameters = Object.entries(rule.parameters.shape).map(([name, schema]: [string, z.ZodType]) => [
    code(name),
    code(JSON.stringify(schema.parse(undefined))),
    schema.description ?? "",
  ]);
  const settable = parameters.length === 0 ? [] : [table(["Parameter", "Default", "What it is"], parameters)];
  return [`### ${id}`, `${title}. ${why} **Mend it:** ${remedy}`, facts.join(" "), ...settable];
}

const introduction = `# Policies

${rules.length} rules for clusters, networks and registries. [The reviewer](../README.md) judges a change by them, and \`pulumi preview\` and \`pulumi up\` do as a
[policy pack](#as-a-policy-pack). A value that is not known before \`up\` never passes: the rule is *undetermined* then.

## Settings

\`container-platform.policy.yaml\`, beside the program or in a folder above it, says what differs from the tables below. The reviewer goes by
the rules where there is such a file, though it be empty, and judges what a change makes or changes: what stays as it is, is not held
against it, and what broke a rule before the change is told, but stops nobody. A policy pack judges all resources.

\`\`\`yaml
rules:
  CP-CLU-001: block
  CP-NET-004: off
  CP-END-003: { enforcement: block, parameters: { ipv4: 28 } }
exceptions:
  - rule: CP-NET-002
    resource: SecurityGroup bastion-*
    reason: administrators come from everywhere until the VPN is there
    until: 2026-12-31
\`\`\`

${table(
  ["Enforcement", "What follows when a rule does not hold", "As a policy pack"],
  [
    [code("off"), "Nothing", "`disabled`"],
    [code("advise"), "The report says so", "`advisory`"],
    [code("require-approval"), "Somebody has to approve the change", "`advisory`: in a run there is nobody to ask"],
    [code("block"), "The change is refused; undetermined, somebody has to approve it", "`mandatory`; undetermined in a preview, a warning"],
  ],
)}

An exception is for one rule and the resources that its pattern names: \`<Kind> <name in the program>\` or a URN, in which \`*\` stands for any
text. It needs a reason, and holds to the end of its last day; after that the finding says that it ended.

## As a policy pack

\`\`\`shell
npm install --save-dev @container-platform/pulumi
pulumi preview --policy-pack node_modules/@container-platform/pulumi/policy-pack/start
\`\`\`

\`start\` is a program, which the engine runs by itself. (Given the folder instead, the engine would ask its language host for Node to start
the pack, which not every installation has.) It takes the settings of the file that \`CONTAINER_PLATFORM_POLICY\` names, or of the
nearest \`container-platform.policy.yaml\` from the program's folder upwards. A pack of one's own takes the rules in with
\`policies(settings, today)\` of \`@container-platform/pulumi/policy-pack\`.`;
