import { always, partlyUndone, refusedBy, type ReviewOf } from "../../review/assess/reviewed.ts";
import { alike, isFields, isList, type Value } from "../../review/plan/values.ts";

export const review: ReviewOf<"RouteTable"> = {
  seconds: { create: 3, update: 3, delete: 3 },
  ending: {
    unreachable: () => ["whatever its routes lead to, from the subnets that use it"],
    undo: partlyUndone("a route table can be created again, with another id: subnets have to use it again"),
    refused: "the platform refuses to delete it while a subnet uses it",
    whileThere: refusedBy("Subnet"),
  },
  changes: {
    routeTableName: "harmless",
    tags: "harmless",
    routes: ({ before, after }) =>
      alike(withoutDescriptions(before), withoutDescriptions(after))
        ? []
        : always("interrupts", "traffic from the subnets that use it takes other routes", {
            unreachable: "whatever the new routes do not lead to",
          }),
  },
};

function withoutDescriptions(routes: Value | undefined): Value | undefined {
  return isList(routes) ? routes.map((route) => (isFields(route) ? { ...route, routeDescription: "" } : route)) : routes;
}
