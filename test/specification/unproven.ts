import { inSection } from "./proof.ts";

/** Statements that no proof shows, and why. */

export interface Unproven {
  readonly statements: readonly string[];
  readonly reason: string;
}

const conventions = inSection("Conventions");
const service = inSection("What the service does");
const events = inSection("Events");

/** What cannot be tested. */
export const untestable: readonly Unproven[] = [
  {
    statements: conventions("point 4"),
    reason: "It says how the specification itself is written: words in angle brackets are placeholders.",
  },
  {
    statements: service("rule 6.4"),
    reason: "A deployment is an object of Kubernetes, which the interface leaves out (What the service does, rule 5).",
  },
  {
    statements: service("rule 6.6"),
    reason: "It says what traffic costs; no operation tells costs.",
  },
  {
    statements: service("rule 6.7"),
    reason: "The configuration of that plugin is not shown.",
  },
  {
    statements: events("rule 1"),
    reason: "Notifications are not shown: neither names, nor contents, nor how they are delivered.",
  },
];
