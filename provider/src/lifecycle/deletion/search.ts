import type { Cloud } from "@container-platform/sdk";
import type { Subject } from "../../recovery/possession.ts";
import type { Search } from "./obstacle.ts";
import { nameOf } from "../program/claims.ts";
import { stayingIn } from "../program/leaving/staying.ts";
import type { Run } from "../run.ts";

/** Finds who keeps a resource from being deleted. */
export function searchFor({ session, strangers }: Run, cloud: Cloud, subject: Subject, id: string): Search {
  const { kind, urn } = subject;
  const { members, writes } = session;
  return {
    strangers: (sentence) => strangers.namedIn(cloud, sentence, subject, id),
    staying: async (sentence) => {
      writes.noteRefused(`${kind.type} ${id}`);
      const why = await stayingIn(cloud, members, sentence, id, urn === "" ? `${kind.type} ${id}` : `${kind.type} "${nameOf(urn)}"`);
      // What is to be made anew is let go first by what has it, and other writes may take away what is in the way.
      return why === undefined ? undefined : { why, mayGo: members.isToFollow(kind, id) || !writes.areStuck };
    },
  };
}
