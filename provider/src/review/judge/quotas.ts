import type { Quota } from "../report.ts";
import type { KindName, Subject } from "../plan/subject.ts";

/** How many there may be (specification, Limits; grants of a user). */
const limits: readonly {
  readonly kind: KindName;
  readonly what: string;
  readonly limit: number;
  readonly per: (subject: Subject) => string;
}[] = [
  { kind: "Cluster", what: "clusters in a region", limit: 20, per: ({ region }) => region ?? "the region" },
  {
    kind: "UserPermission",
    what: "permissions of a user in a region",
    limit: 100,
    per: ({ inputs, before, region }) => `${text(inputs["targetUin"] ?? before?.["targetUin"])} in ${region ?? "the region"}`,
  },
];

/** The quotas that a plan comes near: of this stack alone, since no other is seen. */
export function quotasOf(subjects: readonly Subject[]): Quota[] {
  return limits.flatMap(({ kind, what, limit, per }) => {
    const places = new Map<string, Subject[]>();
    for (const subject of subjects) if (subject.kind === kind) places.set(per(subject), [...(places.get(per(subject)) ?? []), subject]);
    return [...places].flatMap(([at, there]) => {
      const count = (fits: (subject: Subject) => boolean) => there.filter(fits).length;
      const before = count(({ operation }) => operation !== "create" && operation !== "adopt");
      const after = count(({ operation }) => operation !== "delete");
      // The engine deletes after it has made everything, unless it is told to delete first.
      const most =
        before +
        count(
          (one) => one.operation === "create" || one.operation === "adopt" || (one.operation === "replace" && one.deletesFirst !== true),
        );
      // Far from the limit, only what is shared with other stacks is worth a word.
      const near = kind === "Cluster" || most * 2 > limit;
      return near && (after > before || most > before) ? [{ what, limit, at, before, after, most }] : [];
    });
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "a user";
}
