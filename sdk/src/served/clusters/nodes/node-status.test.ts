import { expect, test } from "vitest";
import type { DesiredNode } from "./desired-nodes.ts";
import { newNode, specPatch, statusPatch } from "./node-keeper.ts";
import { nodeObject } from "./api.ts";

const node: DesiredNode = {
  name: "10.0.0.2",
  instanceId: "ins-00000001",
  zone: "eu-frankfurt-1",
  labels: { team: "web", "container-platform/instance-id": "ins-00000001" },
  taints: [{ key: "dedicated", effect: "NoSchedule" }],
  unschedulable: false,
  leaving: false,
  unready: undefined,
  addresses: ["10.0.0.2"],
  podCount: 64,
  podRanges: [],
  cpu: 2,
  memory: 4,
  runtime: "containerd://1.6.9",
  system: "ubuntu22.04x86_64",
  version: "1.34.1",
  upgradedTo: undefined,
};

/** The object of a node, as the API server has it, with what others have added. */
function objectOf({ labels = {}, taints = [], ...spec }: { labels?: object; taints?: object[]; unschedulable?: boolean } = {}) {
  const created = newNode(node, ["172.16.0.0/26"]) as { metadata: { labels: object }; spec: { taints: object[] } };
  return nodeObject.parse({
    ...created,
    metadata: { ...created.metadata, uid: "u", resourceVersion: "7", labels: { ...created.metadata.labels, ...labels } },
    spec: { ...created.spec, ...spec, taints: [...created.spec.taints, ...taints] },
  });
}

test("an object that is as the platform has it is left alone, whatever others have done to it", () => {
  const changed = objectOf({ labels: { mine: "1" }, taints: [{ key: "mine", effect: "NoExecute" }], unschedulable: true });
  expect(specPatch(changed, node)).toBeUndefined();
  expect(statusPatch(changed, node)).toBeUndefined();
});

test("a change takes what the platform gave before, and nothing of others", () => {
  const object = objectOf({ labels: { mine: "1" }, taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }] });
  const { team, ...labels } = node.labels;
  expect(team).toBe("web");
  expect(specPatch(object, { ...node, labels: { ...labels, tier: "2" }, taints: [], unschedulable: true })).toMatchObject({
    metadata: { resourceVersion: "7", labels: { team: null, tier: "2" } },
    spec: { taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }], unschedulable: true },
  });
});

test("a node that somebody has cordoned by hand stays so, while the platform changes something else", () => {
  const patch = specPatch(objectOf({ unschedulable: true }), { ...node, labels: { ...node.labels, tier: "2" } });
  expect(patch).not.toHaveProperty("spec.unschedulable");
});

test("readiness and version follow the platform", () => {
  const object = objectOf();
  const unready = { reason: "Failed", message: "machine ins-00000001 is failed: out of stock" };
  expect(statusPatch(object, { ...node, unready })).toMatchObject({
    status: { conditions: [{ type: "Ready", status: "False", ...unready }, {}, {}, {}] },
  });
  expect(statusPatch(object, { ...node, version: "1.35.0" })).toBeUndefined();
  expect(statusPatch(object, { ...node, upgradedTo: "1.35.0" })).toEqual({ status: { nodeInfo: { kubeletVersion: "v1.35.0" } } });
});

test("an object on which somebody has changed what the platform remembers there gets all anew", () => {
  const object = objectOf();
  const broken = { ...object, metadata: { ...object.metadata, annotations: { "container-platform/applied": "{" } } };
  expect(specPatch(broken, node)).toMatchObject({ metadata: { labels: node.labels }, spec: { taints: node.taints } });
});
