import type { z } from "zod";
import type { Rule } from "../../provider/src/review/policy/language/rule.ts";
import { rules } from "../../provider/src/review/policy/rules.ts";
import { code, codes, page, table } from "./markdown.ts";

/** The titles of the chapters, by the middle part of the rules' ids. */
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

/** The page of the rules, by file name. */
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
  return [`## ${title}`, table(["Rule", "Requirement", "Severity", "Enforcement"], overview), ...own.flatMap(ruleParts)];
}

function ruleParts(rule: Rule): string[] {
  const { id, title, kinds, why, remedy, within, cis = [], checkov = [] } = rule;
  const facts = [
    `About: ${kinds === "any" ? "every kind of resource" : codes(kinds)}.`,
    ...(within === undefined ? [] : [`Not reported together with ${within}.`]),
    ...(cis.length === 0 ? [] : [`CIS: ${cis.join(", ")}.`]),
    ...(checkov.length === 0 ? [] : [`Checkov: ${checkov.join(", ")}.`]),
  ];
  const parameters = Object.entries(rule.parameters.shape).map(([name, schema]: [string, z.ZodType]) => [
    code(name),
    code(JSON.stringify(schema.parse(undefined))),
    schema.description ?? "",
  ]);
  const settable = parameters.length === 0 ? [] : [table(["Parameter", "Default", "Description"], parameters)];
  return [`### ${id}`, `${title}. ${why} **Remedy:** ${remedy}`, facts.join(" "), ...settable];
}

const introduction = `# Policies

${rules.length} rules for clusters, networks and registries. [The reviewer](reviewing.md) checks changes against them, and as a [policy pack](#as-a-policy-pack)
they are checked by \`pulumi preview\` and \`pulumi up\`. A value that is not known before \`up\` never passes: the rule is *undetermined* then.

## Settings

\`container-platform.policy.yaml\`, beside the program or in a folder above it, has the settings that differ from the tables below. The
reviewer uses the rules only if there is such a file, which may be empty. It checks only resources that are created or changed. A rule
that was broken before the change is reported, but does not stop the change. A policy pack checks all resources.

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
  ["Enforcement", "What happens when a rule is broken", "As a policy pack"],
  [
    [code("off"), "Nothing", "`disabled`"],
    [code("advise"), "The report says so", "`advisory`"],
    [code("require-approval"), "Somebody has to approve the change", "`advisory`: nobody can approve during a run"],
    [
      code("block"),
      "The change is blocked. If the rule is undetermined, somebody has to approve it",
      "`mandatory`. If the rule is undetermined in a preview, a warning",
    ],
  ],
)}

An exception is for one rule, and for the resources that match its pattern: \`<Kind> <name in the program>\` or a URN, in which \`*\` stands for
any text. It needs a reason, and holds until the end of its last day. After that, the finding says that the exception has ended.

## Resources of other providers

The reviewer knows nothing of what other providers' resources mean, and does not judge them. By default, these need approval:

- every deletion and replacement,
- the creation, import and change of a dangerous type, whatever its provider: one in whose name is an identity or a permission (\`iam\`, \`role\`,
  \`policy\`, \`user\`), a way in (\`security\`, \`firewall\`, \`ingress\`, \`gateway\`, \`listener\`, \`public\`, \`route\`), a name (\`dns\`, \`domain\`,
  \`certificate\`), a secret (\`secret\`, \`key\`, \`token\`, \`vault\`), what stores data (\`database\`, \`bucket\`, \`disk\`, \`backup\`, \`cluster\`), or
  what runs something (\`command\`, \`script\`, \`helm\`, \`webhook\`),
- a provider that is configured otherwise, such as for another account or region.

All other changes of them are listed as not judged, and need none. The settings name types that are to be stricter or looser; \`*\` stands for
any text:

\`\`\`yaml
otherProviders:
  needApproval: ["kubernetes:apps/*"]
  trusted: ["random:*"]
\`\`\`

Of a type in \`needApproval\`, creations and changes need approval, too. Of one in \`trusted\`, nothing needs approval, not even its deletion; it wins
over the other list. What Pulumi's option \`protect\` guards is blocked all the same.

## As a policy pack

<!-- sample
with npm install --save-dev @container-platform/pulumi = true
with node_modules = ../node_modules
-->

\`\`\`shell
npm install --save-dev @container-platform/pulumi
pulumi preview --policy-pack "$PWD/node_modules/@container-platform/pulumi/policy-pack/start"
\`\`\`

\`start\` is a program, which the engine runs by itself. Give its whole path: in a project with \`main\`, the engine looks for another one in the
program's folder. Its folder is a policy pack, too, as Pulumi's own are: \`--policy-pack node_modules/@container-platform/pulumi/policy-pack\`.
Pulumi's language host for Node starts that; one that is too old for it says "not supported".

It uses the settings of the file that \`CONTAINER_PLATFORM_POLICY\` names, or of the nearest \`container-platform.policy.yaml\` in the program's
folder or above it (of the folder: where \`pulumi\` was started). Your own pack can include the rules with \`policies(settings, today)\` of
\`@container-platform/pulumi/policy-pack\`.`;
