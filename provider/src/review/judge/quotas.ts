import type { Quota } from "../report.ts";
import type { Subject } from "../plan/subject.ts";
import { kinds, reviewed } from "../../resources/reviews.ts";

/** The quotas that a plan comes near. They count this stack's resources only, because the reviewer sees no others. */
export function quotasOf(subjects: readonly Subject[]): Quota[] {
  return kinds.flatMap((kind) => {
    const { limit: quota } = reviewed(kind);
    if (!quota) return [];
    const { what, limit, per, shared } = quota;
    const places = Map.groupBy(
      subjects.filter((subject) => subject.kind === kind),
      per,
    );
    return [...places].flatMap(([at, there]) => {
      const count = (fits: (subject: Subject) => boolean) => there.filter(fits).length;
      const before = count(({ operation }) => operation !== "create" && operation !== "adopt");
      const after = count(({ operation }) => operation !== "delete");
      // The engine deletes old resources after it has created all new ones, unless they have to be deleted first.
      const most =
        before +
        count(
          (one) => one.operation === "create" || one.operation === "adopt" || (one.operation === "replace" && one.deletesFirst !== true),
        );
      const near = shared === true || most * 2 > limit;
      return near && (after > before || most > before) ? [{ what, limit, at, before, after, most }] : [];
    });
  });
}
