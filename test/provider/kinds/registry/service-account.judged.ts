import { type Props, unknown } from "../../../support/structs.ts";
import { judging, type Judged } from "../kind-cases.ts";

const { update, create, remove } = judging("ServiceAccount");

const rights = (resource: string, ...actions: readonly string[]) => ({ resource, actions: actions.map((one) => `reg:${one}Repository`) });
const permissions = (...all: readonly object[]): Props => ({ permissions: all });
const ends = (expiresAt: string): Props => ({ expiresAt });

export const serviceAccountJudged: Readonly<Record<string, Judged>> = {
  "an account that may do more": update(
    permissions(rights("team", "Pull")),
    permissions(rights("shop", "Pull"), rights("team/", "Push", "Pull")),
    ["access-opened"],
    { says: "the account may do more: reg:PullRepository in shop, reg:PushRepository in team" },
  ),
  "an account that may do less": update(
    permissions(rights("team", "Push", "Pull")),
    permissions(rights("team", "Pull")),
    ["access-narrowed"],
    { says: "the account may no longer do: reg:PushRepository in team" },
  ),
  "an account that may do something else": update(
    permissions(rights("team", "Push")),
    permissions(rights("shop", "Push")),
    ["access-opened", "access-narrowed"],
    { undo: "yes" },
  ),
  "an account whose permissions are in another order": update(
    permissions(rights("team", "Push", "Pull"), rights("shop", "Pull")),
    permissions(rights("shop/", "Pull"), rights("team", "Pull", "Push")),
    [],
  ),
  "an account whose permissions are not known yet": update(
    permissions(rights("team", "Push")),
    permissions({ ...rights("team", "Push"), resource: unknown }),
    ["undecided"],
  ),
  "an account disabled": update({ disable: false }, { disable: true }, ["access-narrowed"], { undo: "yes" }),
  "an account enabled again": update({ disable: true }, { disable: false }, ["access-opened"]),
  "a new account that may push": create(permissions(rights("team", "Pull", "Push")), ["access-opened"], {
    says: "a new account may do: reg:PushRepository in team",
  }),
  "a new account that may only pull": create(permissions(rights("team", "Pull")), []),
  "a new account that may only pull from what is there": create(
    { ...permissions(rights("team", "Pull")), registryId: "tcr-1" },
    ["access-opened"],
    { says: "a new account may do: reg:PullRepository in team" },
  ),
  "an account with a new password": update({ passwordVersion: "1" }, { passwordVersion: "2" }, ["interrupts"], {
    undo: "no",
    says: "the earlier one stops working",
  }),
  "an account whose passwordVersion is taken out": update({ passwordVersion: "1" }, {}, []),
  "an account that ends sooner": update(ends("2027-01-01T00:00:00Z"), ends("2026-12-31T23:00:00Z"), ["access-narrowed"], {
    undo: "yes",
    says: "until 2026-12-31T23:00:00Z",
  }),
  "an account that gets an end": update({}, ends("2027-01-01T00:00:00Z"), ["access-narrowed"]),
  "an account that ends later": update(ends("2027-01-01T00:00:00Z"), ends("2028-01-01T00:00:00Z"), ["access-opened"]),
  "an account that no longer ends": update(ends("2027-01-01T00:00:00Z"), {}, ["access-opened"]),
  "an account whose end is written otherwise": update(ends("2027-01-01T00:00:00Z"), ends("2027-01-01T01:00:00+01:00"), []),
  "an account whose end is not known yet": update({}, ends(unknown), ["undecided"]),
  "an account deleted": remove({}, ["deletes"], { undo: "no", says: "its password, which the platform does not tell again" }),
};
