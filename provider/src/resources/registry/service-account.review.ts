import { itemsOf } from "../../review/assess/access.ts";
import {
  always,
  type Changed,
  type IsThere,
  type Judgement,
  listed,
  notUndone,
  type ReviewOf,
  textOr,
  undecided,
  undone,
} from "../../review/assess/reviewed.ts";
import { type Fields, holdsUnknown, isFields, type Value } from "../../review/plan/values.ts";

const whoever = "whoever logs in to the registry with this account";

const drawn = always("interrupts", "a new password is drawn: the earlier one stops working", {
  unreachable: "the registry, for whoever has the earlier password",
  undo: notUndone("the earlier password does not come back"),
});

export const review: ReviewOf<"ServiceAccount"> = {
  seconds: { create: 2, update: 2, delete: 2 },
  ending: {
    loses: () => "its password, which the platform does not tell again",
    unreachable: () => [whoever],
    undo: notUndone("an account of the same name has another password: what uses it needs the new one"),
  },
  changes: {
    description: "harmless",
    permissions: permissionsJudged,
    disable: disableJudged,
    expiresAt: endJudged,
    // Taken out of the program, it stays as it is.
    passwordVersion: ({ after }) => (after === undefined ? [] : drawn),
  },
  opens: {
    decidedBy: ({ permissions, disable }) => (disable === true ? {} : { permissions }),
    opening: (inputs, isThere) => {
      const rights = newRights(inputs, isThere);
      return rights.length === 0 ? undefined : { property: "permissions", sentence: `a new account may do: ${listed(rights)}` };
    },
  },
};

function disableJudged({ after }: Changed): readonly Judgement[] {
  if (after !== true) return always("access-opened", "one can log in with the account again");
  return always("access-narrowed", "nobody can log in with the account any more", {
    unreachable: whoever,
    undo: undone("the account can be enabled again"),
  });
}

/** Actions that change nothing. */
const reading = ["reg:PullRepository", "reg:DescribeHelmCharts"];

/** What a new account may change, and in a registry that is there already, also read. What is not known yet may be anything. */
function newRights({ registryId, permissions, disable }: Fields, isThere: IsThere): readonly string[] {
  if (disable === true) return [];
  if (holdsUnknown(permissions)) return ["what is known only after apply"];
  if (isThere(registryId)) return rightsIn(permissions);
  return rightsIn(permissions).filter((right) => !reading.some((action) => right.startsWith(`${action} `)));
}

function permissionsJudged({ before, after }: Changed): readonly Judgement[] {
  if (holdsUnknown(after)) return [undecided("what the account may do is known only after apply")];
  const [old, now] = [rightsIn(before), rightsIn(after)];
  const more = now.filter((right) => !old.includes(right));
  const less = old.filter((right) => !now.includes(right));
  const unreachable = `${listed(less)}, for ${whoever}`;
  return [
    ...(more.length > 0 ? always("access-opened", `the account may do more: ${listed(more)}`) : []),
    ...(less.length > 0 ? always("access-narrowed", `the account may no longer do: ${listed(less)}`, { unreachable }) : []),
  ];
}

/** Each action with the namespace in which it is allowed. */
function rightsIn(permissions: Value | undefined): readonly string[] {
  return itemsOf(permissions).flatMap((permission) => {
    if (!isFields(permission)) return [];
    const namespace = textOr(permission["resource"], "a namespace").replace(/\/$/, "");
    return itemsOf(permission["actions"]).map((action) => `${textOr(action, "something")} in ${namespace}`);
  });
}

function endJudged({ before, after }: Changed): readonly Judgement[] {
  if (holdsUnknown(after)) return [undecided("when the account ends is known only after apply")];
  const [old, now] = [endIn(before), endIn(after)];
  // It may have ended already: then this lets somebody in who is kept out now.
  if (now > old) return always("access-opened", `one can log in with the account, or for longer: ${until(after)}`);
  if (now === old) return [];
  return always("access-narrowed", `the account ends sooner: one can log in with it ${until(after)}`, {
    unreachable: `${whoever}, once it has ended`,
    undo: undone("a later end can be set again"),
  });
}

function endIn(expiresAt: Value | undefined): number {
  return typeof expiresAt === "string" ? Date.parse(expiresAt) : Infinity;
}

function until(expiresAt: Value | undefined): string {
  return typeof expiresAt === "string" ? `until ${expiresAt}` : "without an end";
}
