import type { Snapshot } from "@container-platform/sdk/local";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { casesOf } from "../provider/kinds/all.ts";
import type { Entry } from "./state.ts";

/** The ids of resources that are on the platform, but not in the state. */
export function orphansIn(world: Snapshot, state: readonly Pick<Entry, "type" | "id" | "status">[]): readonly string[] {
  const there = state.filter(({ status }) => status !== "toRecreate");
  // A block has the id of its VPC: ids are compared within a kind.
  return kinds.flatMap((kind) => {
    const ids = there.filter(({ type }) => type === kind).map(({ id }) => id);
    return casesOf[kind].idsIn(world).filter((id) => !ids.includes(id));
  });
}
