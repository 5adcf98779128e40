import type { z } from "zod";
import type { Rule } from "../../provider/src/review/policy/language/rule.ts";
import { rules } from "../../provider/src/review/policy/rules.ts";
import { code, codes, page, table } from "./markdown.ts";

/** The rules of each chapter of their page, by the middle part of their ids. */
export function policyParts(): Record<string, string> {
  const chapters = Map.groupBy(rules, ({ id }) => id.replace(/^(CP-[A-Z]+)-.*$/, "$1"));
  return Object.fromEntries([...chapters].map(([name, own]) => [name, chapter(own)]));
}

function chapter(own: readonly Rule[]): string {
  const overview = own.map(({ id, title: holds, severity, enforcement }) => [
    `[${id}](#${id.toLowerCase()})`,
    holds,
    severity,
    enforcement,
  ]);
  return page(table(["Rule", "Requirement", "Severity", "Enforcement"], overview), ...own.flatMap(ruleParts));
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
