import { describe, expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { changeInPlace, preview, type Step } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** Values that the reviewer does not see, deep in an input or in the place of an id: what they may be is not safe. */

/** As the engine prints a secret. */
const secret = "[secret]";

const reasonsOf = (...steps: readonly Step[]) => reviewOfTexts([preview(steps)]).reasons.map(({ code, called }) => `${called}: ${code}`);

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
    const { verdict, reasons } = reviewOfTexts([preview([step])]);
    expect(verdict).toBe("needs-approval");
    expect(reasons.map(({ code }) => code)).toContain("undecided");
  });

  test("a hidden part that stays the same does not count, nor does one of an input that opens nothing", () => {
    const account = (description: string) => ({ description, expiresAt: "2030-01-01T00:00:00Z" });
    expect(reasonsOf(changeInPlace("ServiceAccount", account("a"), account(secret)))).toEqual([]);
    expect(reasonsOf(changeInPlace("NodePool", { labels: { a: "b" } }, { labels: { a: secret } }))).toEqual([]);
  });
});

describe("what is new in something whose id is hidden is new in something that is there", () => {
  const token = (registryId: string, from: readonly string[] = []): Step => {
    return { kind: "Token", name: "t", op: "create", now: { registryId }, from: { registryId: from } };
  };
  const grant = (clusterId: string, from: readonly string[] = []): Step => ({
    ...{ kind: "UserPermission", name: "u", op: "create", from: { clusterId: from } },
    now: { clusterId, targetUin: "100000000002", roleName: "svc:ro", roleType: "cluster" },
  });
  const robot = (registryId: string, from: readonly string[] = []): Step => ({
    ...{ kind: "ServiceAccount", name: "r", op: "create", from: { registryId: from } },
    now: { registryId, permissions: [{ resource: "team", actions: ["reg:PullRepository"] }] },
  });
  const registry = (op: "create" | "same"): Step => ({ kind: "RegistryInstance", name: "reg", op, old: {}, now: {} });
  const cluster = (op: "create" | "same"): Step => ({ kind: "Cluster", name: "c", op, old: {}, now: {} });
  const extra: Step = { kind: "Vpc", name: "extra", op: "create", now: { cidrBlock: "10.9.0.0/16" } };
  const opened = ["ServiceAccount r: access-opened", "Token t: access-opened", "UserPermission u: access-opened"];

  test("if it is secret", () => {
    const { reasons } = reviewOfTexts([preview([registry("same"), cluster("same"), token(secret), grant(secret), robot(secret)])]);
    expect(reasons.map(({ called, code }) => `${called}: ${code}`).toSorted()).toEqual(opened);
    expect(reasons.map(({ sentence }) => sentence).join("\n")).toContain("a new login, which may do everything in its registry");
  });

  test("if it is known only after apply, and comes from something that is there, too", () => {
    const [of, inCluster] = [
      ["RegistryInstance reg", "Vpc extra"],
      ["Cluster c", "Vpc extra"],
    ];
    const steps = [registry("same"), cluster("same"), extra, token(unknown, of), grant(unknown, inCluster), robot(unknown, of)];
    expect(reasonsOf(...steps).toSorted()).toEqual(opened);
    // A preview without what stays the same does not have the registry at all.
    expect(reasonsOf(extra, token(unknown, of))).toEqual(["Token t: access-opened"]);
  });

  test("and not if the same run makes that", () => {
    const steps = [registry("create"), cluster("create"), extra];
    const made = [
      token(unknown, ["RegistryInstance reg", "Vpc extra"]),
      grant(unknown, ["Cluster c"]),
      robot(unknown, ["RegistryInstance reg"]),
    ];
    expect(reasonsOf(...steps, ...made)).toEqual([]);
  });
});
