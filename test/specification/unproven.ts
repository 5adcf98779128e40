import { inSection } from "./proof.ts";

/**
 * What no proof of this suite shows, and why. Three lists: statements that nothing can show, those that other suites show, and clauses
 * of statements whose others are proven.
 */

export interface Unproven {
  readonly statements: readonly string[];
  readonly reason: string;
}

const conventions = inSection("Conventions");
const service = inSection("What the service does");
const events = inSection("Events");
const limits = inSection("Limits");
const transitions = inSection("States and transitions / Transitions");
const network = inSection("Endpoints / Network, zone and audit operations");
const authentication = inSection("Authentication");

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

/** What is tested elsewhere. */
export const elsewhere: readonly Unproven[] = [
  {
    statements: limits("cluster creation stall signal"),
    reason:
      "It is the client that waits who says so: tested with the provider, in `test/provider/recovery/failures.test.ts` (a cluster that is Creating for over 30 minutes is reported as abnormal, once).",
  },
];

/** Clauses that are not shown of statements that otherwise are. */
export const partly: readonly Unproven[] = [
  {
    statements: transitions("(none), CreateCluster"),
    reason:
      "that over 30 minutes in `Creating` are abnormal is said by the provider, and tested in `test/provider/recovery/failures.test.ts`.",
  },
  {
    statements: inSection("Resources and their fields / Network resources")("Security group"),
    reason: "that a new group denies what goes out: nothing sends anything on the local platform, so only the group's empty list shows it.",
  },
  {
    statements: limits("registry instance transient wait"),
    reason: "that what is unresolved after an hour is escalated: people do that, by what the registry tells of its state and since when.",
  },
  {
    statements: network("CreateVpc (vpc)"),
    reason: "that CIDR route publish needs allow-listing: every account of the local platform is on that list.",
  },
  {
    statements: authentication("svc:admin", "svc:ops", "svc:dev", "svc:ro", "svc:ns:dev", "svc:ns:ro"),
    reason: "what a role allows inside of a cluster: Kubernetes resources are out of scope (What the service does, rule 5).",
  },
];
