import { h } from "./tree.js";
import { stateOf } from "./words.js";

/** @typedef {import("../dashboard.ts").Shown} Shown */
/** @typedef {import("../dashboard.ts").State} State */
/** @typedef {{ id: string, kind: string, name: string, state?: State, facts: readonly (readonly [string, string])[] }} Thing */

/** Everything that has a state or can be opened. @param {Shown} shown @returns {Thing[]} */
export function thingsOf({ places }) {
  return places.flatMap(({ networks, clusters, registries, region, account }) => {
    const where = facts({ Region: region, Account: account });
    return [
      ...networks.items.flatMap((network) => networkThings(network, where)),
      ...clusters.items.flatMap((cluster) => clusterThings(cluster, where)),
      ...registries.items.map(({ id, name, type, state }) => ({
        id,
        name,
        kind: "registry",
        state,
        facts: [...facts({ Type: type }), ...where],
      })),
    ];
  });
}

/** @param {import("../dashboard.ts").Network} network @param {Thing["facts"]} where @returns {Thing[]} */
function networkThings({ id, name, cidrBlock, ipv6CidrBlock, subnets }, where) {
  return [
    {
      id,
      name,
      kind: "network",
      facts: [...facts({ "IPv4 range": cidrBlock, "IPv6 block": ipv6CidrBlock ?? "none" }), ...where],
    },
    ...subnets.items.map((subnet) => ({
      id: subnet.id,
      name: subnet.name,
      kind: "subnet",
      facts: facts({
        Zone: subnet.zone,
        "IPv4 range": subnet.cidrBlock,
        "IPv6 range": subnet.ipv6CidrBlock ?? "none",
        Network: `${name} (${id})`,
      }),
    })),
  ];
}

/** @param {import("../dashboard.ts").Cluster} cluster @param {Thing["facts"]} where @returns {Thing[]} */
function clusterThings({ id, name, state, version, isDualStack, vpcId, subnetId, pools, nodes }, where) {
  const cluster = `${name} (${id})`;
  const addresses = isDualStack ? "IPv4 and IPv6" : "IPv4";
  return [
    {
      id,
      name,
      kind: "cluster",
      state,
      facts: [...facts({ Kubernetes: version, Addresses: addresses, Network: vpcId, "Control plane in": subnetId }), ...where],
    },
    ...pools.items.map((pool) => ({
      id: pool.id,
      name: pool.name,
      kind: "pool",
      state: pool.state,
      facts: facts({ "Nodes wanted": String(pool.replicas), Cluster: cluster }),
    })),
    ...nodes.items.map((node) => ({
      id: node.id,
      name: node.name,
      kind: "node",
      state: node.state,
      facts: facts({
        Address: node.address,
        "Instance type": node.instanceType,
        Zone: node.zone,
        Subnet: node.subnetId,
        Pool: node.poolId ?? "none",
        Cluster: cluster,
      }),
    })),
  ];
}

/** @param {Readonly<Record<string, string>>} given @returns {Thing["facts"]} */
function facts(given) {
  return Object.entries(given);
}

/** @param {Thing} thing @returns {import("./tree.js").Part[]} */
export function drawFacts({ id, kind, name, state, facts: told }) {
  return [
    h("header", {}, h("h2", { id: "facts-title" }, name), h("span", { class: "kind" }, kind), state && stateOf(state)),
    state?.reason !== undefined && h("p", { class: "reason" }, state.reason),
    h(
      "dl",
      {},
      [...facts({ Id: id }), ...told].map(([label, value]) => h("div", { key: label }, h("dt", {}, label), h("dd", {}, value))),
    ),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  ];
}

/** What has changed between two looks, as sentences. @param {Shown} before @param {Shown} after */
export function newsOf(before, after) {
  const old = new Map(thingsOf(before).map((thing) => [thing.id, thing]));
  const now = thingsOf(after);
  const left = new Set(now.map(({ id }) => id));
  return [
    ...now.flatMap(({ id, kind, name, state }) => {
      const was = old.get(id);
      if (!was) return [`new ${kind} ${name}${state ? `: ${state.name}` : ""}`];
      return state && was.state?.name !== state.name ? [`${kind} ${name}: ${state.name}`] : [];
    }),
    ...[...old.values()].filter(({ id }) => !left.has(id)).map(({ kind, name }) => `${kind} ${name} is gone`),
  ];
}
