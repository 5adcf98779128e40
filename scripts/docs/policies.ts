import type { z } from "zod";
import type { Rule } from "../../provider/src/review/policy/language/rule.ts";
import { rules } from "../../provider/src/review/policy/rules.ts";
import { code, codes, page, table } from "./markdown.ts";

/** The titles of the chapters, by the middle part of the rules' ids. */
const subjects: Readonly<Record<string, string>> = {
  NET: "Networks",
  CLU: "Clusters",
  END: "Cluster endpoints",
  API: "Control planes",
  POOL: "Nodes",
  KUB: "Kubelets",
  REG: "Registries",
  NS: "Namespaces of registries",
  TOK: "Tokens",
  IAM: "Permissions",
  ORG: "All resources",
};

/** The page of the rules. */
export function policiesPage(): string {
  return page(
    "# Policies",
    `Look up the ${rules.length} rules for clusters, networks and registries: requirement, severity, default enforcement, reason and remedy.`,
    "`npm run fix` writes this page from the rules. [Policies](../guides/policies.md) explains how to set the enforcement of a rule, grant an exception and run the rules as a policy pack.",
    ...Object.entries(subjects).flatMap(([key, title]) => chapter(key, title)),
  );
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
    `Resources: ${kinds === "any" ? "all" : codes(kinds)}.`,
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
