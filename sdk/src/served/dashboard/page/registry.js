import { h } from "./tree.js";
import { headOf, moreOf, shortDigest, sizeOf, stateOf } from "./words.js";

/** @typedef {import("../dashboard.ts").Registry} Registry */
/** @typedef {import("../dashboard.ts").Repository} Repository */

/** A registry, with the images of its namespaces. @param {Registry} registry */
export function drawRegistry(registry) {
  const { id, name, type, publicAccess, connections, ports, namespaces, repositories } = registry;
  /** @param {string} standpoint */
  const portOf = (standpoint) => ports.find((port) => port.standpoint === standpoint)?.address;
  return h(
    "article",
    { class: "card", key: id, "aria-label": `registry ${name}` },
    headOf("h3", registry, "registry", `registry, ${type}`),
    h(
      "ul",
      { class: "parts" },
      h("li", { key: "internet" }, h("span", { class: "kind" }, "from the internet"), served(portOf("internet")), stateOf(publicAccess)),
      connections.items.map(({ vpcId, address, state: access }) =>
        h(
          "li",
          { key: `${vpcId} ${address}` },
          h("span", { class: "kind" }, `from ${vpcId}`),
          h("code", {}, address),
          served(portOf(vpcId)),
          stateOf(access),
        ),
      ),
    ),
    namespaces.items.map(({ name: namespace, isPublic }) =>
      h(
        "section",
        { class: "namespace", key: namespace, "aria-label": `namespace ${namespace}` },
        h("h4", {}, namespace, h("span", { class: "kind" }, isPublic ? "public" : "private")),
        repositories.items.filter((repository) => repository.namespace === namespace).map((repository) => drawRepository(repository)),
      ),
    ),
    moreOf(namespaces, "namespace"),
    moreOf(repositories, "repository"),
  );
}

/** @param {string | undefined} port */
function served(port) {
  return port !== undefined && h("code", { class: "served" }, port);
}

/** @param {Repository} repository */
function drawRepository({ name, images }) {
  return h(
    "div",
    { class: "repository", key: name },
    h("h5", {}, name),
    h(
      "ul",
      { "aria-label": `images of ${name}` },
      images.items.map(({ tag, digest, size }) =>
        h(
          "li",
          { key: tag },
          h("b", {}, tag),
          h("code", { title: digest }, shortDigest(digest)),
          h("span", { class: "kind" }, sizeOf(size)),
        ),
      ),
    ),
    images.items.length === 0 && h("p", { class: "more" }, "no images yet"),
    moreOf(images, "image"),
  );
}
