import { h } from "./tree.js";
import { counted, headOf, mark, moreOf, opener, stateOf } from "./words.js";

/** @typedef {import("../dashboard.ts").Network} Network */
/** @typedef {import("../dashboard.ts").Cluster} Cluster */
/** @typedef {import("../dashboard.ts").Subnet} Subnet */
/** @typedef {import("../dashboard.ts").Node} Node */

/** A network, with its clusters, and its subnets by zone. @param {Network} network @param {readonly Cluster[]} clusters of it */
export function drawNetwork(network, clusters) {
  const { id, name, subnets } = network;
  const zones = [...new Set(subnets.items.map(({ zone }) => zone))].sort();
  return h(
    "article",
    { class: "card", key: id, "aria-label": `network ${name}` },
    h("header", {}, h("h3", {}, opener(id, `network ${name}`, "name", name)), h("span", { class: "kind" }, "VPC"), ranges(network)),
    clusters.map((cluster) => drawCluster(cluster)),
    h(
      "div",
      { class: "zones" },
      zones.map((zone) =>
        h(
          "section",
          { class: "zone", key: zone, "aria-label": `zone ${zone}` },
          h("h4", {}, zone),
          subnets.items.filter((subnet) => subnet.zone === zone).map((subnet) => drawSubnet(subnet, clusters)),
        ),
      ),
    ),
    zones.length === 0 && h("p", { class: "more" }, "no subnets yet"),
    moreOf(subnets, "subnet"),
  );
}

/** @param {{ cidrBlock: string, ipv6CidrBlock?: string | undefined }} of */
function ranges({ cidrBlock, ipv6CidrBlock }) {
  return h("span", { class: "ranges" }, h("code", {}, cidrBlock), ipv6CidrBlock !== undefined && h("code", {}, ipv6CidrBlock));
}

/** @param {Cluster} cluster */
export function drawCluster(cluster) {
  const { id, name, version, isDualStack, pools, nodes, endpoints } = cluster;
  /** @param {string} poolId */
  const running = (poolId) => nodes.items.filter((node) => node.poolId === poolId && node.state.meaning === "ready").length;
  return h(
    "section",
    { class: "cluster", key: id, "aria-label": `cluster ${name}` },
    headOf("h4", cluster, "cluster", `Kubernetes ${version}${isDualStack ? ", dual-stack" : ""}`),
    h(
      "ul",
      { class: "parts" },
      pools.items.map((pool) =>
        h(
          "li",
          { key: pool.id },
          opener(pool.id, `pool ${pool.name}, ${pool.state.name}`, "part", h("span", { class: "kind" }, "pool"), pool.name),
          `${running(pool.id)} of ${counted(pool.replicas, "node")} `,
          stateOf(pool.state),
        ),
      ),
      endpoints.items.map(({ from, address, state: access }) =>
        h("li", { key: from }, h("span", { class: "kind" }, `from the ${from}`), h("code", {}, address), stateOf(access)),
      ),
    ),
    moreOf(nodes, "node"),
  );
}

/** @param {Subnet} subnet @param {readonly Cluster[]} clusters */
function drawSubnet(subnet, clusters) {
  const { id, name } = subnet;
  return h(
    "div",
    { class: "subnet", key: id, role: "group", "aria-label": `subnet ${name}` },
    h("header", {}, opener(id, `subnet ${name}`, "name", name), ranges(subnet)),
    clusters.map((cluster) => {
      const here = cluster.nodes.items.filter((node) => node.subnetId === id);
      const isControl = cluster.subnetId === id;
      if (here.length === 0 && !isControl) return undefined;
      return h(
        "div",
        { class: "nodes", key: cluster.id },
        isControl && h("span", { class: "control" }, mark(cluster.state), `control plane of ${cluster.name}`),
        here.map((node) => drawNode(node)),
      );
    }),
  );
}

/** @param {Node} node */
function drawNode({ id, name, state, instanceType }) {
  const isReady = state.meaning === "ready";
  return opener(id, `node ${name}, ${state.name}, ${instanceType}`, "node", mark(state), h("span", {}, name), !isReady && stateOf(state));
}
