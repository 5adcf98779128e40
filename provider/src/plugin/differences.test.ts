import { expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { differencesIn } from "./differences.ts";

const { kind } = await kinds.NodePool();

test("each place that differs has its path, as Pulumi writes it", () => {
  const before = { name: "a", labels: { team: "a", "cost centre": "1" }, native: { subnetIds: ["subnet-1"], scaling: { minReplicas: 1 } } };
  const after = {
    labels: { team: "b", "app.kubernetes.io/name": "web" },
    native: { subnetIds: ["subnet-1", "subnet-2"], scaling: { minReplicas: 2 } },
  };
  expect(Object.fromEntries(differencesIn(kind, before, after, []))).toEqual({
    name: "delete",
    "labels.team": "update",
    'labels["cost centre"]': "delete",
    'labels["app.kubernetes.io/name"]': "add",
    "native.subnetIds[1]": "add",
    "native.scaling.minReplicas": "update",
  });
});

test("what is secret, or given as a secret, is one place, whose keys are not told; private state is none", () => {
  const before = { labels: { team: "a" }, native: { password: "one" }, __urn: "before" };
  const after = { labels: { "top secret": "a" }, native: { password: "two" }, __urn: "after" };
  expect(Object.fromEntries(differencesIn(kind, before, after, ["labels"]))).toEqual({ labels: "update", "native.password": "update" });
});
