import { changeInPlace, type Step } from "../../../review/previews.ts";
import { unknown } from "../../../support/structs.ts";
import type { Judged } from "../kind-cases.ts";

type Inputs = NonNullable<Step["old"]>;
const updated = (old: Inputs, now: Inputs): Step => changeInPlace("ServiceAccount", old, now);
const rights = (resource: string, ...actions: readonly string[]) => ({ resource, actions: actions.map((one) => `reg:${one}Repository`) });
const permissions = (...all: readonly object[]): Inputs => ({ permissions: all });
const ends = (expiresAt?: string): Inputs => (expiresAt === undefined ? {} : { expiresAt });

/** Changes of a ServiceAccount, and how the reviewer judges them. */
export const serviceAccountJudged: Readonly<Record<string, Judged>> = {
  "an account that may do more": {
    step: updated(permissions(rights("team", "Pull")), permissions(rights("shop", "Pull"), rights("team/", "Push", "Pull"))),
    codes: ["access-opened"],
    says: "the account may do more: reg:PullRepository in shop, reg:PushRepository in team",
  },
  "an account that may do less": {
    step: updated(permissions(rights("team", "Push", "Pull")), permissions(rights("team", "Pull"))),
    codes: ["access-narrowed"],
    says: "the account may no longer do: reg:PushRepository in team",
  },
  "an account that may do something else": {
    step: updated(permissions(rights("team", "Push")), permissions(rights("shop", "Push"))),
    codes: ["access-opened", "access-narrowed"],
    undo: "yes",
  },
  "an account whose permissions are in another order": {
    step: updated(
      permissions(rights("team", "Push", "Pull"), rights("shop", "Pull")),
      permissions(rights("shop/", "Pull"), rights("team", "Pull", "Push")),
    ),
    codes: [],
  },
  "an account whose permissions are not known yet": {
    step: updated(permissions(rights("team", "Push")), permissions({ ...rights("team", "Push"), resource: unknown })),
    codes: ["undecided"],
  },
  "an account disabled": {
    step: updated({ disable: false }, { disable: true }),
    codes: ["access-narrowed"],
    undo: "yes",
  },
  "an account enabled again": { step: updated({ disable: true }, { disable: false }), codes: ["access-opened"] },
  "a new account that may push": {
    step: { kind: "ServiceAccount", name: "x", op: "create", now: permissions(rights("team", "Pull", "Push")) },
    codes: ["access-opened"],
    says: "a new account may do: reg:PushRepository in team",
  },
  "a new account that may only pull": {
    step: { kind: "ServiceAccount", name: "x", op: "create", now: permissions(rights("team", "Pull")) },
    codes: [],
  },
  "a new account that may only pull from what is there": {
    step: { kind: "ServiceAccount", name: "x", op: "create", now: { ...permissions(rights("team", "Pull")), registryId: "tcr-1" } },
    codes: ["access-opened"],
    says: "a new account may do: reg:PullRepository in team",
  },
  "an account with a new password": {
    step: updated({ passwordVersion: "1" }, { passwordVersion: "2" }),
    codes: ["interrupts"],
    undo: "no",
    says: "the earlier one stops working",
  },
  "an account whose passwordVersion is taken out": {
    step: { ...updated({ passwordVersion: "1" }, {}), paths: ["passwordVersion"] },
    codes: [],
  },
  "an account that ends sooner": {
    step: updated(ends("2027-01-01T00:00:00Z"), ends("2026-12-31T23:00:00Z")),
    codes: ["access-narrowed"],
    undo: "yes",
    says: "until 2026-12-31T23:00:00Z",
  },
  "an account that gets an end": { step: updated({}, ends("2027-01-01T00:00:00Z")), codes: ["access-narrowed"] },
  "an account that ends later": {
    step: updated(ends("2027-01-01T00:00:00Z"), ends("2028-01-01T00:00:00Z")),
    codes: ["access-opened"],
  },
  "an account that no longer ends": {
    step: { ...updated(ends("2027-01-01T00:00:00Z"), {}), paths: ["expiresAt"] },
    codes: ["access-opened"],
  },
  "an account whose end is written otherwise": {
    step: updated(ends("2027-01-01T00:00:00Z"), ends("2027-01-01T01:00:00+01:00")),
    codes: [],
  },
  "an account whose end is not known yet": { step: updated({}, ends(unknown)), codes: ["undecided"] },
  "an account deleted": {
    step: { kind: "ServiceAccount", name: "x", op: "delete", old: {} },
    codes: ["deletes"],
    undo: "no",
    says: "its password, which the platform does not tell again",
  },
};
