import { entryText, itemsOf, openToAll, textOf } from "./access.ts";
import { endings, unknownEnding } from "./endings.ts";
import { topOf } from "../plan/graph.ts";
import type { Judgement } from "./judgement.ts";
import { judgements } from "./judgements.ts";
import { differencesOf } from "../plan/properties.ts";
import type { Cause, Reason, Undo } from "../report.ts";
import { calledOf, isFields, type Subject } from "../plan/subject.ts";

/** What is to be said of one resource's change by itself. */
export interface Opinion {
  readonly reasons: readonly Reason[];
  readonly unreachable: readonly string[];
  readonly undo: Undo;
  readonly notes: readonly string[];
}

const simple: Undo = { possible: "yes", sentence: "changing it back undoes it" };

/** What a change comes from, and what goes along with it. */
interface Reach {
  readonly along: readonly Subject[];
  readonly causes: readonly Cause[];
}

export function opinionOf(subject: Subject, reach: Reach): Opinion {
  switch (subject.operation) {
    case "update":
      return opinionOfUpdate(subject);
    case "delete":
    case "replace":
      return opinionOfEnding(subject, reach);
    case "adopt":
      return {
        reasons: [],
        unreachable: [],
        undo: { possible: "yes", sentence: "pulumi state delete lets go of it again, and leaves it as it is" },
        notes: ["takes over what exists: from now on up changes it and destroy deletes it"],
      };
    default:
      return { reasons: firstAccess(subject), unreachable: [], undo: { possible: "yes", sentence: "it can be deleted again" }, notes: [] };
  }
}

function opinionOfUpdate(subject: Subject): Opinion {
  const { kind, inputs, before = {} } = subject;
  const changed = [...new Set(differencesOf(subject).map(({ path }) => topOf(path)))];
  const told = changed.flatMap((input): [string, Judgement][] => {
    const judge = kind && judgements[kind][input];
    return (judge?.({ before: before[input], after: inputs[input], old: before }) ?? []).map((one) => [input, one]);
  });
  const undos = told.flatMap(([, { undo }]) => undo ?? []);
  return {
    reasons: told.flatMap(([property, { code, verdict, sentence }]) =>
      code === undefined || verdict === "safe" ? [] : [{ ...placed(subject, property), code, verdict, sentence }],
    ),
    unreachable: told.flatMap(([, { unreachable }]) => unreachable ?? []),
    undo: undos.find(({ possible }) => possible === "no") ?? undos.find(({ possible }) => possible === "partly") ?? undos[0] ?? simple,
    notes: told.flatMap(([, { code, sentence }]) => (code === undefined ? [sentence] : [])),
  };
}

function opinionOfEnding(subject: Subject, { along, causes }: Reach): Opinion {
  const ending = subject.kind ? endings[subject.kind] : unknownEnding;
  if (subject.retained && subject.operation === "delete")
    return {
      reasons: [],
      unreachable: [],
      undo: { possible: "yes", sentence: "with import the program takes it over again" },
      notes: ["it stays on the platform, and is no longer managed (retainOnDelete)"],
    };
  const granted = roleChange(subject);
  if (granted)
    return { reasons: [granted], unreachable: [], undo: { possible: "yes", sentence: "the old role can be given back" }, notes: [] };
  const loses = ending.loses(subject);
  const isCause = causes.some(({ urn }) => urn === subject.urn);
  const replaced = subject.operation === "replace";
  const from = isCause
    ? subject.replaceKeys
    : causes.map(({ called, property }) => (property === undefined ? called : `${called}.${property}`));
  const [property] = subject.replaceKeys;
  const told: Reason = {
    ...placed(subject, replaced && isCause ? property : undefined),
    code: replaced ? "replaces" : "deletes",
    verdict: "needs-approval",
    sentence: [
      `is ${replaced ? "replaced" : "deleted"}`,
      from.length > 0 && !(isCause && from.length === 1) ? ` because of ${from.slice(0, 5).join(", ")}` : "",
      isCause && along.length > 0 ? `, and takes ${along.length} other${along.length === 1 ? "" : "s"} along` : "",
      loses === undefined ? "" : `. What goes with it: ${loses}`,
    ].join(""),
  };
  return {
    reasons: [...guarded(subject), ...(isCause || loses !== undefined ? [told] : [])],
    unreachable: ending.unreachable(subject),
    undo: ending.undo,
    notes: replaced || ending.refused === undefined ? [] : [ending.refused],
  };
}

/** What keeps the engine or the platform from deleting it. */
function guarded(subject: Subject): Reason[] {
  const guard = subject.protect
    ? "Pulumi's option protect"
    : subject.before?.["deletionProtection"] === true
      ? "deletionProtection"
      : undefined;
  if (guard === undefined) return [];
  const remedy = subject.protect ? "take the option out and run pulumi up" : "set deletionProtection to false and run pulumi up";
  return [
    {
      ...placed(subject, subject.protect ? undefined : "deletionProtection"),
      code: "protected",
      verdict: "blocked",
      sentence: `cannot be ${subject.operation === "delete" ? "deleted" : "replaced"}: ${guard} is on. ${remedy} first, if that is meant`,
    },
  ];
}

const ranks = ["svc:ns:ro", "svc:ro", "svc:ns:dev", "svc:dev", "svc:ops", "svc:admin"];

/** A permission that is replaced for the sake of its role alone. */
function roleChange(subject: Subject): Reason | undefined {
  const { kind, operation, replaceKeys, before, inputs } = subject;
  if (kind !== "UserPermission" || operation !== "replace" || !replaceKeys.includes("roleName") || replaceKeys.includes("clusterId"))
    return undefined;
  const [old, now] = [textOf(before ?? {}, "roleName"), textOf(inputs, "roleName")];
  const [from, to] = [ranks.indexOf(old), ranks.indexOf(now)];
  const code = from < 0 || to < 0 ? "access-changed" : to > from ? "access-opened" : "access-narrowed";
  const whole = now === "svc:admin" ? ", which may do everything in the cluster" : "";
  return {
    ...placed(subject, "roleName"),
    code,
    verdict: "needs-approval",
    sentence: `${textOf(inputs, "targetUin") || "a user"} gets ${now || "another role"}${whole}, in place of ${old}`,
  };
}

/** Access that is there from the first day on. */
function firstAccess(subject: Subject): Reason[] {
  const { kind, inputs } = subject;
  const opened = (property: string, sentence: string): Reason[] => [
    { ...placed(subject, property), code: "access-opened", verdict: "needs-approval", sentence },
  ];
  if (kind === "ClusterEndpoint" && inputs["isExtranet"] === true) {
    const ranges = itemsOf(inputs["allowedCidrBlocks"]).map(entryText);
    const whom = ranges.length > 0 ? ranges.join(", ") : "whom its security group lets in";
    return opened(ranges.length > 0 ? "allowedCidrBlocks" : "isExtranet", `opens the cluster's API on the internet, to ${whom}`);
  }
  const whitelist = isFields(inputs["publicAccess"]) ? itemsOf(inputs["publicAccess"]["whitelist"]).map(entryText) : [];
  if (kind === "RegistryInstance" && whitelist.length > 0)
    return opened("publicAccess", `opens the registry on the internet, to ${whitelist.join(", ")}`);
  if (kind === "Namespace" && inputs["isPublic"] === true)
    return opened("isPublic", "everybody who reaches the registry may pull its images, without logging in");
  if (kind === "UserPermission" && inputs["roleName"] === "svc:admin")
    return opened("roleName", `${textOf(inputs, "targetUin") || "a user"} may do everything in the cluster (svc:admin)`);
  const rules = kind === "SecurityGroup" ? openToAll(inputs["ingress"]) : [];
  return rules.length > 0 ? opened("ingress", `lets the whole internet in: ${rules.join(", ")}`) : [];
}

function placed(subject: Subject, property: string | undefined): Pick<Reason, "urn" | "called" | "property"> {
  return { urn: subject.urn, called: calledOf(subject), ...(property === undefined ? {} : { property }) };
}
