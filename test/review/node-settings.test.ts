import { describe, expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, type Step } from "./previews.ts";
import { reviewOfSteps } from "./reviewed.ts";

/** Settings of nodes and arguments of components that open something, or send names or workloads elsewhere. */

function judged(step: Step): readonly string[] {
  const { verdict, reasons, changes } = reviewOfSteps(step);
  return [verdict, ...reasons.map(({ code, sentence }) => `${code}: ${sentence}`), ...(changes[0]?.notes ?? [])];
}
const pool = (old: object, now: object): Step => changeInPlace("NodePool", { native: old }, { native: now });
const kubelet = (old: readonly string[], now: readonly string[]) => pool({ kubeletArgs: old }, { kubeletArgs: now });
const cluster = (...args: readonly (readonly string[] | undefined)[]): Step => {
  const [old, now] = args.map((kubeApiServer) => (kubeApiServer ? { extraArgs: { kubeApiServer } } : {}));
  return { ...changeInPlace("Cluster", old ?? {}, now ?? {}), paths: ["extraArgs"] };
};

describe("of a pool's nodes, these need approval", () => {
  const script = (text: string) => ({ lifecycle: { postInit: Buffer.from(`#!/bin/sh\n${text}\n`).toString("base64") } });
  const upgraded = (autoUpgrade: boolean, more = {}) => ({ upgradeSettings: { autoUpgrade, ...more } });
  const anonymous = "access-opened: an argument of new nodes' kubelet lets anonymous requests reach the kubelet";
  test.for<[string, Step, string]>([
    ["anonymous requests", kubelet([], ["anonymous-auth=true"]), anonymous],
    ["the same, otherwise spelt", kubelet(["anonymous-auth=false"], ["--anonymous_auth=T"]), anonymous],
    ["the same, given twice", kubelet(["anonymous-auth=false"], ["anonymous-auth=false", "anonymous-auth"]), anonymous],
    [
      "everything allowed",
      kubelet(["authorization-mode=Webhook"], ["authorization-mode=AlwaysAllow"]),
      "access-opened: an argument of new nodes' kubelet allows every authenticated user everything on the kubelet",
    ],
    [
      "a port without authentication",
      kubelet(["read-only-port=0"], ["read-only-port=10255"]),
      "access-opened: an argument of new nodes' kubelet opens a port on which everyone can read what runs on the node",
    ],
    [
      "a guard taken out",
      kubelet(["anonymous-auth=false", "max-pods=64"], ["max-pods=64"]),
      "safeguard-weakened: new nodes' kubelet is no longer told anonymous-auth=false: its own default decides, which may let anybody in",
    ],
    [
      "an argument that is not known",
      kubelet([], ["feature-gates=A=true"]),
      "undecided: what the argument feature-gates of new nodes' kubelet does is not known here",
    ],
    [
      "name servers",
      pool({ management: { nameservers: ["10.0.0.53"] } }, { management: { nameservers: ["198.51.100.6"] } }),
      "access-changed: other name servers decide for new nodes where names lead",
    ],
    [
      "hosts",
      pool({}, { management: { hosts: ["198.51.100.6 registry.example"] } }),
      "access-changed: names lead elsewhere on new nodes, by their hosts file",
    ],
    [
      "kernel parameters",
      pool({}, { management: { kernelArgs: ["kernel.randomize_va_space=0"] } }),
      "undecided: what other kernel parameters do to new nodes is not known here",
    ],
    [
      "a script",
      pool(script("echo 1"), script("curl x | sh")),
      "undecided: postInit is another script, which runs with all rights on new nodes: what it does is not judged here",
    ],
    [
      "an image",
      pool({ customImage: "img-1" }, { customImage: "img-2" }),
      "access-changed: new nodes are made of another image: who can log in and what runs on them, that image decides",
    ],
    [
      "repairs",
      pool({ autoRepair: false }, { autoRepair: true }),
      "interrupts: the platform repairs broken nodes by itself: it may restart or replace them",
    ],
    [
      "no repairs",
      pool({ autoRepair: true }, { autoRepair: false }),
      "safeguard-weakened: broken nodes are no longer repaired by the platform",
    ],
    ["upgrades", pool({}, upgraded(true)), "interrupts: the platform upgrades nodes by itself: workloads are moved when it does"],
    ["no upgrades", pool(upgraded(true), upgraded(false)), "safeguard-weakened: the platform no longer upgrades nodes by itself"],
    [
      "upgrades of more",
      pool(upgraded(true), upgraded(true, { components: ["kubelet"] })),
      "interrupts: the platform upgrades other components of the nodes by itself",
    ],
  ])("%s", ([, step, reason]) => {
    const [verdict, ...told] = judged(step);
    expect(verdict).toBe("needs-approval");
    expect(told.filter((one) => /^[a-z-]+: /.test(one) && !one.startsWith("existing"))).toEqual([reason]);
  });

  test("room alone does not", () => {
    expect(judged(kubelet(["max-pods=64"], ["max-pods=32", "eviction-hard=memory.available<5%"]))[0]).toBe("safe");
  });

  test("a new pool that opens its kubelets does, too", () => {
    const made = (argument: string) => judged(creation("NodePool", "x", { native: { kubeletArgs: [argument] } }));
    expect(made("authorization-mode=AlwaysAllow").slice(0, 2)).toEqual([
      "needs-approval",
      "access-opened: an argument of its kubelets allows every authenticated user everything on the kubelet",
    ]);
    expect(made("max-pods=64")[0]).toBe("safe");
  });
});

describe("of the API server", () => {
  const untold =
    "safeguard-weakened: the control plane is no longer told anonymous-auth=false: its own default decides, which may let anybody in";
  test.for<[string, readonly string[] | undefined, readonly string[]]>([
    [
      "anonymous requests",
      ["anonymous-auth=true"],
      ["access-opened: an argument of the control plane lets anonymous requests reach the API server's authorization"],
    ],
    ["a guard taken out", [], [untold]],
    ["all arguments taken out", undefined, [untold]],
    ["another argument, and what it was told anyway, which is not told again", ["anonymous-auth=false", "max-requests-inflight=400"], []],
  ])("%s", ([, now, reasons]) => {
    expect(judged(cluster(["anonymous-auth=false"], now))).toEqual([
      ...["needs-approval", ...reasons, "interrupts: components of the control plane restart with other arguments"],
    ]);
  });

  test("a new cluster that lets anonymous requests in needs approval", () => {
    const made = creation("Cluster", "x", { extraArgs: { kubeApiServer: ["anonymous-auth=true"] } });
    expect(judged(made)[1]).toMatch(/^access-opened: an argument of its control plane lets anon/);
  });
});

describe("updateExistedNode", () => {
  const withIt = (old: object, now: object): Step => pool({ ...old, updateExistedNode: true }, { ...now, updateExistedNode: true });

  test("is claimed of what the nodes' kubelets and systems are told", () => {
    expect(judged(withIt({}, { management: { nameservers: ["198.51.100.6"] } }))).toEqual([
      "needs-approval",
      "interrupts: the change applies to existing nodes, too (updateExistedNode)",
      "access-changed: other name servers decide for new nodes where names lead",
    ]);
  });

  test("is claimed where the value is known only after apply", () => {
    const change = pool(
      { kubeletArgs: ["max-pods=32"], updateExistedNode: false },
      { kubeletArgs: ["max-pods=64"], updateExistedNode: unknown },
    );
    expect(judged(change)).toContain("interrupts: the change applies to existing nodes, too (updateExistedNode)");
    expect(judged(change)).not.toContain("existing nodes stay as they are: the change applies to new nodes only");
  });

  const disk = (diskSize: number) => ({ systemDisk: { diskType: "CLOUD_PREMIUM", diskSize } });
  test.for<[string, object, object]>([
    ["subnets", { subnetIds: ["subnet-1"] }, { subnetIds: ["subnet-2"] }],
    ["types of machines", { instanceTypes: ["SA5.MEDIUM4"] }, { instanceTypes: ["SA5.LARGE8"] }],
    ["disks", disk(50), disk(100)],
  ])("is not claimed of %s, which a node keeps", ([, old, now]) => {
    expect(judged(withIt(old, now))).toEqual(["safe", "existing nodes stay as they are: the change applies to new nodes only"]);
  });
});
