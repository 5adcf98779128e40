import { createHash } from "node:crypto";
import type { Report } from "../../report.ts";
import { type Place, placesOf } from "./places.ts";

const levels = { blocked: "error", "needs-approval": "warning", note: "note" } as const;

/** SARIF 2.1.0, for a forge's code scanning. */
export function sarif(report: Report): string {
  const places = placesOf(report);
  const ids = [...new Set(places.map(({ id }) => id))];
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "container-platform-review", rules: ids.map((id) => ruleOf(id, places)) } },
        automationDetails: { id: `container-platform-review/${report.project ?? "project"}/${report.stack ?? "stack"}/` },
        invocations: [{ executionSuccessful: report.failures.length === 0 }],
        results: places.map((place) => resultOf(place, ids.indexOf(place.id))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const meanings: Readonly<Record<string, string>> = {
  "access-opened": "Access is opened",
  "access-narrowed": "Access is narrowed",
  "access-changed": "Who has access changes",
  deletes: "Something is deleted",
  replaces: "Something is replaced",
  interrupts: "Something is interrupted",
  irreversible: "It cannot be undone",
  "safeguard-weakened": "A safeguard is weakened",
  protected: "A protection forbids it",
  quota: "A quota is exceeded",
  failed: "The preview did not finish",
  collides: "It would fail in the middle: something is in the way",
  undecided: "It cannot be decided before apply",
  drift: "Something was changed outside of Pulumi",
};

function ruleOf(id: string, places: readonly Place[]) {
  const tags = [...new Set(places.filter((place) => place.id === id).flatMap(({ references }) => references))];
  return { id, shortDescription: { text: meanings[id] ?? id }, ...(tags.length > 0 ? { properties: { tags } } : {}) };
}

function resultOf({ id, verdict, title, sentence, urn, property, source }: Place, ruleIndex: number) {
  const print = createHash("sha256").update([id, urn, property].join(" ")).digest("hex");
  return {
    ruleId: id,
    ruleIndex,
    level: levels[verdict],
    message: { text: `${title}: ${sentence}` },
    locations: [
      {
        // Forges show only results with a file. A result without a line of the program is shown at the project.
        physicalLocation: {
          artifactLocation: { uri: encodeURI(source?.file ?? "Pulumi.yaml") },
          region: { startLine: source?.line ?? 1, ...(source?.column === undefined ? {} : { startColumn: source.column }) },
        },
        ...(urn === undefined || urn === "" ? {} : { logicalLocations: [{ fullyQualifiedName: urn, kind: "resource" }] }),
      },
    ],
    partialFingerprints: { "container-platform-review/v1": print },
  };
}
