import { PolicyPack, type ResourceValidationPolicy } from "@pulumi/policy";
import { unknown } from "../../schema/values.ts";
import { definitions } from "../plan/definitions.ts";
import { kindOf } from "../plan/plan.ts";
import { Redactor } from "../plan/secrets.ts";
import { inputsOf } from "../plan/states.ts";
import { evaluate, type Judged, packName } from "./evaluate.ts";
import type { Enforcement } from "./language/rule.ts";
import { rules } from "./rules.ts";
import type { Settings } from "./settings.ts";

/** Nobody can approve during a run of the engine. So a rule that requires an approval is a warning. */
const levels = { off: "disabled", advise: "advisory", "require-approval": "advisory", block: "mandatory" } as const satisfies Record<
  Enforcement,
  ResourceValidationPolicy["enforcementLevel"]
>;

/**
 * The rules as policies of Pulumi, for your own policy pack.
 *
 * @param settings the settings of a `container-platform.policy.yaml`
 * @param today such as `2026-01-31`
 */
export function policies(settings: Settings, today: string): ResourceValidationPolicy[] {
  return rules.map((rule) => {
    const enforcement: Enforcement = settings.rules[rule.id]?.enforcement ?? rule.enforcement;
    const among = rules.filter(({ id }) => id === rule.id || id === rule.within);
    return {
      name: rule.id,
      description: `${rule.title}. ${rule.why} ${rule.remedy}`,
      displayName: rule.title,
      severity: rule.severity,
      enforcementLevel: levels[enforcement],
      validateResource: ({ type, name, urn, props }, report) => {
        const subject = subjectOf({ type, name, urn }, props);
        const found = evaluate([subject], settings, today, among).find((finding) => finding.rule === rule.id);
        if (found?.outcome === "fail") report(found.sentence);
        if (found?.outcome === "undetermined") readUnknown(props, found.property ?? "");
      },
    };
  });
}

/** Serves the rules to the engine that has started this process. */
export function serve(settings: Settings, today: string, packageFolder: string): void {
  // Pulumi reads the version of the pack from package.json in the process's working folder.
  const folder = process.cwd();
  process.chdir(packageFolder);
  try {
    new PolicyPack(packName, {
      description: "Rules for clusters, networks and registries",
      policies: policies(settings, today),
    });
  } finally {
    process.chdir(folder);
  }
}

function subjectOf({ type, name, urn }: Pick<Judged, "type" | "name" | "urn">, props: object): Judged {
  const kind = kindOf(type);
  const definition = kind && definitions[kind];
  const inputs = kind ? inputsOf(plainFields(props), { redactor: new Redactor(undefined), definition, from: {} }) : {};
  return { urn, kind, type, name, operation: "update", inputs };
}

/** Inputs as plain values. Pulumi's objects throw when a value that is not known is read. */
function plainFields(props: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(props).map((key) => [key, plainAt(props, key)]));
}

function plainAt(holder: object, key: string): unknown {
  const value = known(holder, key);
  if (Array.isArray(value)) return Object.keys(value).map((index) => plainAt(value, index));
  return typeof value === "object" && value !== null ? plainFields(value) : value;
}

function known(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return unknown;
  }
}

/** Reads an unknown input from Pulumi's object, which makes Pulumi report that the policy cannot be checked before `up`. */
function readUnknown(props: object, path: string): void {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  keys.reduce<unknown>((holder, key) => (typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined), props);
}
