import { expect, test } from "vitest";
import { withRolesInOrder } from "./roles.ts";

const two = { data: { prefix: 24 }, nodes: { prefix: 20 } };

test("subnets are in the order of their roles", () => {
  const { subnets, ...others } = withRolesInOrder({ zones: 2, subnets: two, subnetRoles: ["nodes", "data"] });
  expect(Object.keys(subnets ?? {})).toEqual(["nodes", "data"]);
  expect(others).toEqual({ zones: 2 });
});

test("one role needs no order", () => {
  expect(withRolesInOrder({})).toEqual({});
  expect(withRolesInOrder({ subnets: { workers: { prefix: 20 } } })).toEqual({ subnets: { workers: { prefix: 20 } } });
  expect(withRolesInOrder({ subnetRoles: ["nodes"] })).toEqual({ subnets: { nodes: { prefix: 20 } } });
});

test.each([
  [{ subnets: two }, "network.subnetRoles: is required with several roles of subnets, as a map has no order here: list data, nodes in"],
  [{ subnets: two, subnetRoles: "nodes" }, "network.subnetRoles: takes a list of roles that is known in the preview"],
  [{ subnets: two, subnetRoles: ["nodes"] }, 'network.subnetRoles: ["nodes"] has to name each role of network.subnets once: data, nodes'],
  [{ subnets: two, subnetRoles: ["nodes", "nodes", "data"] }, "has to name each role of network.subnets once: data, nodes"],
  [{ subnetRoles: ["workers"] }, 'network.subnetRoles: ["workers"] has to name each role of network.subnets once: nodes'],
])("an order that is missing or wrong is refused: %j", (args, sentence) => {
  expect(() => withRolesInOrder(args, "network.")).toThrow(sentence);
});
