import { describe, expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, type Step, unchanged } from "./previews.ts";
import { reasonsIn, reviewOfSteps } from "./reviewed.ts";

/** Values that the reviewer does not see, deep in an input or in the place of an id: what they may be is not safe. */

/** As the engine prints a secret. */
const secret = "[secret]";

describe("a change in which a part is hidden is not called safe", () => {
  const pool = (old: object, now: object): Step => changeInPlace("NodePool", { native: old }, { native: now });
  const taint = (effect: string) => ({ taints: [{ key: "team", value: "web", effect }] });
  const rights = (resource: string) => ({ permissions: [{ resource, actions: ["reg:PullRepository"] }] });
  test.for<[string, Step]>([
    ["a whitelist of a registry that was closed", changeInPlace("RegistryInstance", {}, { publicAccess: { whitelist: secret } })],
    ["a number of nodes", pool({ scaling: { minReplicas: 2, maxReplicas: 2 } }, { scaling: { minReplicas: secret, maxReplicas: secret } })],
    ["a number of nodes that is told no more", pool({ replicas: 3 }, { replicas: secret })],
    ["a number of nodes that was hidden before", pool({ replicas: secret }, { replicas: 1 })],
    ["an effect of a taint", changeInPlace("NodePool", taint("NoSchedule"), taint(secret))],
    ["the namespace of a permission", changeInPlace("ServiceAccount", rights(secret), rights(secret))],
    ["a subnet of a registry's internal access", changeInPlace("RegistryInstance", {}, { internalAccess: secret })],
  ])("%s", ([, step]) => {
    const { verdict, reasons } = reviewOfSteps(step);
    expect(verdict).toBe("needs-approval");
    expect(reasons.map(({ code }) => code)).toContain("undecided");
  });

  test("a hidden part that stays the same does not count, nor does one of an input that opens nothing", () => {
    const account = (description: string) => ({ description, expiresAt: "2030-01-01T00:00:00Z" });
    expect(reasonsIn(changeInPlace("ServiceAccount", account("a"), account(secret)))).toEqual([]);
    expect(reasonsIn(changeInPlace("NodePool", { labels: { a: "b" } }, { labels: { a: secret } }))).toEqual([]);
  });
});

describe("what is new in something whose id is hidden is new in something that is there", () => {
  const token = (registryId: string, from: readonly string[] = []) =>
    creation("Token", "t", { registryId }, { from: { registryId: from } });
  const user = { targetUin: "100000000002", roleName: "svc:ro", roleType: "cluster" };
  const grant = (clusterId: string, from: readonly string[] = []) =>
    creation("UserPermission", "u", { ...user, clusterId }, { from: { clusterId: from } });
  const permissions = [{ resource: "team", actions: ["reg:PullRepository"] }];
  const robot = (registryId: string, from: readonly string[] = []) =>
    creation("ServiceAccount", "r", { registryId, permissions }, { from: { registryId: from } });
  const [registry, cluster] = [unchanged("RegistryInstance", "reg"), unchanged("Cluster", "c")];
  const extra = creation("Vpc", "extra", { cidrBlock: "10.9.0.0/16" });
  const opened = ["ServiceAccount r: access-opened", "Token t: access-opened", "UserPermission u: access-opened"];

  test("if it is secret", () => {
    const steps = [registry, cluster, token(secret), grant(secret), robot(secret)];
    expect(reasonsIn(...steps).toSorted()).toEqual(opened);
    expect(
      reviewOfSteps(...steps)
        .reasons.map(({ sentence }) => sentence)
        .join("\n"),
    ).toContain("a new login, which may do everything in its registry");
  });

  test("if it is known only after apply, and comes from something that is there, too", () => {
    const of = ["RegistryInstance reg", "Vpc extra"];
    const steps = [registry, cluster, extra, token(unknown, of), grant(unknown, ["Cluster c", "Vpc extra"]), robot(unknown, of)];
    expect(reasonsIn(...steps).toSorted()).toEqual(opened);
    // A preview without what stays the same does not have the registry at all.
    expect(reasonsIn(extra, token(unknown, of))).toEqual(["Token t: access-opened"]);
  });

  test("and not if the same run makes that", () => {
    const of = ["RegistryInstance reg"];
    const made = [token(unknown, [...of, "Vpc extra"]), grant(unknown, ["Cluster c"]), robot(unknown, of)];
    expect(reasonsIn(creation("RegistryInstance", "reg"), creation("Cluster", "c"), extra, ...made)).toEqual([]);
  });
});
