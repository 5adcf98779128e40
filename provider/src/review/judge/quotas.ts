import type { Quota } from "../report.ts";
import type { Subject } from "../plan/subject.ts";
import { kinds, reviewed } from "../../resources/reviews.ts";

/** The quotas that a plan comes near: of this stack alone, since no other is seen. */
export function quotasOf(subjects: readonly Subject[]): Quota[] {
  return kinds.flatMap((kind) => {
    const { limit: quota } = reviewed(kind);
    if (!quota) return [];
    const { what, limit, per, shared } = quota;
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
      const near = shared === true || most * 2 > limit;
      return near && (after > before || most > before) ? [{ what, limit, at, before, after, most }] : [];
    });
  });
}
