import { expect, test } from "vitest";
import { nodeless } from "./running-node.ts";

test.each([
  [[], "give the cluster a NodePool with at least one node. If the program has one, name it in nodePoolIds, so that it is made first"],
  [["np-1"], "give its pool np-1 at least one node"],
  [["np-1", "np-2"], "give one of its pools np-1 and np-2 at least one node"],
])("what helps an endpoint of a cluster without a node that comes after the pools %j", (nodePoolIds, help) => {
  expect(nodeless("cls-1", nodePoolIds)).toBe(`cls-1 has no running node and none is coming; an endpoint needs one: ${help}`);
});
