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
const options = inSection("Endpoints / Client options and parameter passing");

export const untestable: readonly Unproven[] = [
  {
    statements: conventions("point 4"),
    reason: "The statement is about the notation of the specification: words in angle brackets are placeholders.",
  },
  {
    statements: service("rule 6.4"),
    reason: "A deployment is a Kubernetes object, which is out of scope of the interface (rule 5).",
  },
  {
    statements: service("rule 6.6"),
    reason: "The statement is about the cost of traffic, which the operations do not return.",
  },
  {
    statements: service("rule 6.7"),
    reason: "The specification does not show the configuration of the plugin.",
  },
  {
    statements: events("rule 1"),
    reason: "The specification does not show the names, contents and delivery of notifications.",
  },
];

export const elsewhere: readonly Unproven[] = [
  {
    statements: limits("cluster creation stall signal"),
    reason:
      "The waiting client reports the stall: `test/provider/ownership/failures.test.ts` (a cluster that is Creating for over 30 minutes is reported as abnormal, once).",
  },
  {
    statements: [...conventions("point 1"), ...inSection("Endpoints")("paragraph 1")],
    reason:
      "The command-line client calls an operation: `sdk/src/cli/reference-client.test.ts` and `sdk/src/cli/every-operation.all.test.ts`.",
  },
  {
    statements: [
      ...options("--region <region>", "--version <date>", "--filter <expression>", "--output text or json", "--cli-unfold-argument"),
      ...options("--cli-input-json file://<path>", "--generate-cli-skeleton", "paragraph 1"),
    ],
    reason: "Options of the command-line client: `sdk/src/cli/options.test.ts` and `sdk/src/cli/reference-client.test.ts`.",
  },
  {
    statements: [...options("<Action> help --detail"), ...inSection("Errors")("client-local Unknown options: --<Param>")],
    reason: "Help and unknown options of the command-line client: `sdk/src/cli/call/help.test.ts`.",
  },
];

/** Clauses that are not shown of statements that otherwise are. */
export const partly: readonly Unproven[] = [
  {
    statements: transitions("(none), CreateCluster"),
    reason: "the provider reports over 30 minutes in `Creating` as abnormal, tested in `test/provider/ownership/failures.test.ts`.",
  },
  {
    statements: inSection("Resources and their fields / Network resources")("Security group"),
    reason: "a new group denies outbound traffic. The emulator does not send traffic, so only the empty list of the group shows it.",
  },
  {
    statements: limits("registry instance transient wait"),
    reason: "an unresolved state is escalated after an hour. Operators do so, by the state and start time of the registry.",
  },
  {
    statements: network("CreateVpc (vpc)"),
    reason: "CIDR route publishing requires an allow-listed account. Every account of the emulator is allow-listed.",
  },
  {
    statements: authentication("svc:admin", "svc:ops", "svc:dev", "svc:ro", "svc:ns:dev", "svc:ns:ro"),
    reason: "the permissions of a role inside of a cluster. Kubernetes resources are out of scope.",
  },
];
