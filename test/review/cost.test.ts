import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pricesFrom } from "../../provider/src/review/cost.ts";
import { PolicyError } from "../../provider/src/review/policy/settings.ts";
import { formats } from "../../provider/src/review/render/formats.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { reviewOf } from "../../provider/src/review/review.ts";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, deletion, preview, type Step } from "./previews.ts";
import { planOfTexts, reviewOfSteps } from "./reviewed.ts";

const prices = pricesFrom(
  `
currency: EUR
perMonth:
  clusterLevel: { L5: 10, L20: 50.5 }
  instanceType: { SA5.MEDIUM4: 40 }
  diskType: { CLOUD_PREMIUM: 0.1 }
  registryType: { basic: 0, premium: 90 }
`,
  "prices.yaml",
);

function costed(...steps: readonly Step[]): Report {
  return reviewOf(planOfTexts([preview(steps)]), [], { prices });
}

const pool = (native: object): object => ({
  native: { instanceTypes: ["SA5.MEDIUM4", "S5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, ...native },
});
const update = (kind: Step["kind"], old: object, now: object): Step => changeInPlace(kind, { ...old }, { ...now });

describe("the difference of a month", () => {
  test.for<[string, Step, number]>([
    ["a higher level", update("Cluster", { clusterLevel: "L5" }, { clusterLevel: "L20" }), 40.5],
    ["a registry with more", update("RegistryInstance", {}, { registryType: "premium" }), 90],
    ["more nodes, with their disks", update("NodePool", pool({ replicas: 1 }), pool({ replicas: 3 })), 90],
    [
      "a data disk",
      update("NodePool", pool({ replicas: 2 }), pool({ replicas: 2, dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 100 }] })),
      20,
    ],
    ["the fewest nodes of a pool that scales", creation("NodePool", "x", { ...pool({ scaling: { minReplicas: 2, maxReplicas: 9 } }) }), 90],
    [
      "the nodes of a pool that does not scale",
      creation("NodePool", "x", { ...pool({ replicas: 1, scaling: { minReplicas: 0, maxReplicas: 9 }, enableAutoscaling: false }) }),
      45,
    ],
    ["what stays on the platform", deletion("Cluster", "x", { clusterLevel: "L20" }, { retainOnDelete: true }), 0],
    ["what is taken over", creation("Cluster", "x", { __adopt: "cls-1", clusterLevel: "L20" }), 0],
    ["what is deleted", deletion("Cluster", "x", { clusterLevel: "L20" }), -50.5],
    ["another name", update("Cluster", { clusterLevel: "L5", clusterName: "a" }, { clusterLevel: "L5", clusterName: "b" }), 0],
  ])("%s", ([, step, difference]) => {
    const { cost } = costed(step);
    expect([cost?.difference, cost?.currency, cost?.missing]).toEqual([difference, "EUR", []]);
  });

  test("is in the headline and in what people read", () => {
    const report = costed(update("Cluster", { clusterLevel: "L5" }, { clusterLevel: "L20" }));
    expect(report.headline).toMatch(/; 40\.5 EUR more a month$/);
    for (const format of ["terminal", "github", "gitlab", "html"] as const)
      expect(formats[format](report, "")).toMatch(/Cost a month: .*40\.5 EUR more/);
  });
});

describe("nothing is invented", () => {
  test.for<[string, Step, string]>([
    ["a level without a price", update("Cluster", { clusterLevel: "L5" }, { clusterLevel: "L50" }), "clusterLevel L50"],
    ["a level that the platform chooses", creation("Cluster", "x"), "clusterLevel, which is not known of Cluster x"],
    [
      "a type that is known only after apply",
      update("NodePool", pool({ replicas: 1 }), pool({ replicas: 1, instanceTypes: [unknown] })),
      "instanceType, which is not known of NodePool x",
    ],
    ["a name that objects have", update("Cluster", { clusterLevel: "L5" }, { clusterLevel: "constructor" }), "clusterLevel constructor"],
    ["an endpoint, where the table has none", creation("ClusterEndpoint", "x", { isExtranet: true }), "clusterEndpoint internet"],
  ])("%s", ([, step, missing]) => {
    const report = costed(step);
    expect(report.cost).toMatchObject({ difference: 0, changes: [], missing: [missing] });
    expect(report.headline).not.toContain("EUR");
    expect(formats.terminal(report, "")).toContain(`Prices are missing for ${missing}`);
  });

  test("kinds without a price are named, and without a table nothing is said", () => {
    expect(costed(creation("Vpc", "x")).cost?.notCounted).toEqual(["Vpc"]);
    expect(reviewOfSteps(creation("Vpc", "x")).cost).toBeUndefined();
  });
});

test("the table in the documentation can be used", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/cli/review.md"), "utf8");
  const [, table = ""] = /```yaml title=prices.yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { perMonth } = pricesFrom(table, "prices.yaml");
  expect(Object.values(perMonth).map((prices) => Object.keys(prices).length > 0)).toEqual([true, true, true, true, true]);
});

test.for([
  ["perMonth: {}\n", "p.yaml:1: currency: is required"],
  ["currency: EUR\nperMonth:\n  clusterLevel: { L5: cheap }\n", "p.yaml:3: perMonth.clusterLevel.L5: takes a number, not a string"],
  ["currency: EUR\nperMonth:\n  clusterLevels: {}\n", "p.yaml:2: perMonth: has no property clusterLevels; maybe you meant clusterLevel"],
] as const)("a mistake in a table has its line: %j", ([text, message]) => {
  expect(() => pricesFrom(text, "p.yaml")).toThrow(new PolicyError(message));
});
