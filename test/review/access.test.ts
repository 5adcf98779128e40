import { expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, type Step } from "./previews.ts";
import { reviewOfSteps } from "./reviewed.ts";

/** Who gets access by a change, and who had it before. */

const rule = (cidrBlock: string, port = "443") => ({ protocol: "TCP", port, cidrBlock, action: "ACCEPT" });
const rules = (old: readonly object[], now: readonly object[]) => changeInPlace("SecurityGroup", { ingress: old }, { ingress: now });
const endpoint = { isExtranet: true };
const clients = (old: readonly string[], now: readonly string[]) =>
  changeInPlace("ClusterEndpoint", { ...endpoint, allowedCidrBlocks: old }, { ...endpoint, allowedCidrBlocks: now });
const told = (old: readonly string[], now: readonly string[]) =>
  changeInPlace("Cluster", { extraArgs: { kubeApiServer: old } }, { extraArgs: { kubeApiServer: now } });
const kubelet = (old: readonly string[], now: readonly string[]) =>
  changeInPlace("NodePool", { native: { kubeletArgs: old } }, { native: { kubeletArgs: now } });
const [everyone, site, other] = ["0.0.0.0/0", "10.0.0.0/8", "11.0.0.0/8"];
const icmp = { protocol: "ICMP", cidrBlock: everyone, action: "ACCEPT" };

test.for<[of: string, step: Step, reason: string]>([
  [
    "a new group names the rules that let everyone in, and neither those of some nor ICMP",
    creation("SecurityGroup", "x", { ingress: [rule("203.0.113.0/24"), rule(everyone, "ALL"), icmp] }),
    "access-opened: lets the whole internet in: TCP ALL anywhere (0.0.0.0/0)",
  ],
  [
    "beside a rule that admitted everyone before, another rule does not",
    rules([rule(everyone)], [rule(everyone), rule(site, "22")]),
    "access-opened: opens the resources with this group to TCP 22 10.0.0.0/8",
  ],
  [
    "beside a list that admitted everyone before, another entry does not",
    clients([everyone], [everyone, "2001:db8::/32"]),
    "access-opened: opens the cluster's API to 2001:db8::/32",
  ],
  [
    "a range that only some platforms take for everyone does not have the others in it",
    clients(["0.0.0.0/8"], ["0.0.0.0/8", site]),
    "access-opened: opens the cluster's API to 10.0.0.0/8",
  ],
  [
    "what is known only after apply may be the reason of another order",
    rules([rule(site), rule(other)], [rule(other), rule(unknown), rule(site)]),
    "undecided: who may reach the resources with this group is known only after apply",
  ],
  [
    "of an argument that is given twice, the last one is missed",
    told(["anonymous-auth=true", "anonymous-auth=false"], []),
    "safeguard-weakened: the control plane is no longer told anonymous-auth=false: its own default decides, which may let anybody in",
  ],
  [
    "an argument that is taken out may have been a guard",
    kubelet(["feature-gates=A=true"], []),
    "undecided: what the argument feature-gates of new nodes' kubelet does is not known here",
  ],
])("%s", ([, step, reason]) => {
  const reasons = reviewOfSteps(step).reasons.filter(({ code }) => code !== "interrupts");
  expect(reasons.map(({ code, sentence }) => `${code}: ${sentence}`)).toEqual([reason]);
});
