import { drawCalls, firstChoice } from "./calls.js";
import { drawClock } from "./clock.js";
import { drawFacts, newsOf, thingsOf } from "./facts.js";
import { drawCluster, drawNetwork } from "./network.js";
import { drawRegistry } from "./registry.js";
import { draw, h } from "./tree.js";
import { counted, moreOf } from "./words.js";

// Shows a world, which is asked for again and again. The address that was opened has a token in it, behind `#`, which browsers send nowhere.

/** @typedef {import("../dashboard.ts").Shown} Shown */

/** Milliseconds between two looks. */
const pause = 1000;

const page = element("page");
const dialog = element("facts");
const news = element("news");

/** @type {Shown | undefined} */
let shown;
/** What is wrong, in words. @type {string | undefined} */
let trouble;
let choice = firstChoice;
/** The id of what is open. */
let opened = "";
/** Grows with each new token: what was asked for with the one before is no longer drawn. */
let round = 0;

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** Takes the token out of the address, so that it stands in no history and on no screen. A tab keeps it while it is open. */
function takeToken() {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
}

/** Asks the server; `undefined` if there is no answer, which `trouble` then explains. @param {string} path @param {object} [input] */
async function ask(path, input) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
  const asking = round;
  try {
    const given = input && { method: "POST", body: JSON.stringify(input) };
    const answer = await fetch(`/dashboard/${path}`, { headers, cache: "no-store", ...given });
    const body = await answer.json();
    if (asking !== round) return;
    if (answer.status === 401) forget();
    if (answer.ok) see(body);
    trouble = answer.ok ? undefined : body.error;
  } catch {
    trouble = "The server does not answer. This page goes on asking.";
  }
  render();
}

/** Nothing of the world is left on the page. */
function forget() {
  shown = undefined;
  news.textContent = "";
  draw(dialog, []);
}

/** @param {Shown} next */
function see(next) {
  const changes = shown ? newsOf(shown, next) : [];
  if (changes.length > 0) news.textContent = changes.length > 4 ? counted(changes.length, "change") : changes.join("; ");
  shown = next;
}

function render() {
  document.body.classList.toggle("lost", trouble !== undefined);
  draw(page, [
    h("a", { class: "skip", href: "#world" }, "Skip to the world"),
    h(
      "header",
      { class: "top" },
      h("div", {}, h("h1", {}, "Container Platform dashboard"), shown && h("p", { class: "more" }, summaryOf(shown))),
      shown && drawClock(shown.clock),
    ),
    trouble !== undefined && h("p", { class: "trouble", role: "alert" }, trouble),
    shown && drawn(shown),
  ]);
  const thing = shown && thingsOf(shown).find(({ id }) => id === opened);
  if (thing) draw(dialog, drawFacts(thing));
  else if (dialog instanceof HTMLDialogElement) dialog.close();
}

/** @param {Shown} world */
function drawn({ places, calls }) {
  return h(
    "div",
    { class: "below" },
    h(
      "main",
      { id: "world", tabindex: "-1" },
      places.length === 0 && drawNothing(),
      places.map((place) => drawPlace(place, new Set(places.map(({ account }) => account)).size > 1)),
    ),
    drawCalls(calls, choice),
  );
}

function drawNothing() {
  return h(
    "section",
    { class: "card empty" },
    h("h2", {}, "This world is empty"),
    h("p", {}, "What programs and calls make in it shows here as it happens. Deploy a program to it:"),
    h("pre", { tabindex: "0" }, `pulumi config set container-platform:endpoint ${location.origin}\npulumi up`),
  );
}

/** @param {import("../dashboard.ts").Place} place @param {boolean} isOneOfMany of several accounts */
function drawPlace({ region, account, networks, clusters, registries }, isOneOfMany) {
  const title = isOneOfMany ? `${region}, account ${account}` : region;
  const ids = new Set(networks.items.map(({ id }) => id));
  return h(
    "section",
    { class: "place", key: `${account} ${region}`, "aria-label": `region ${title}` },
    h("h2", {}, title),
    networks.items.map((network) =>
      drawNetwork(
        network,
        clusters.items.filter(({ vpcId }) => vpcId === network.id),
      ),
    ),
    moreOf(networks, "network"),
    clusters.items.filter(({ vpcId }) => !ids.has(vpcId)).map((cluster) => drawCluster(cluster)),
    moreOf(clusters, "cluster"),
    registries.items.map((registry) => drawRegistry(registry)),
    moreOf(registries, "registry"),
  );
}

/** @param {Shown} world */
function summaryOf(world) {
  const kinds = thingsOf(world).map(({ kind }) => kind);
  const said = ["network", "subnet", "cluster", "node", "registry"].flatMap((kind) => {
    const number = kinds.filter((each) => each === kind).length;
    return number === 0 ? [] : [counted(number, kind)];
  });
  return said.join(", ");
}

/** What is done by what is pressed or chosen. @type {Readonly<Record<string, (data: DOMStringMap, value: string) => void>>} */
const deeds = {
  freeze: () => void ask("control/freeze", {}),
  unfreeze: () => void ask("control/unfreeze", {}),
  advance: ({ by }) => void ask("control/advance", { milliseconds: Number(by) }),
  setTimeScale: (_, timeScale) => void ask("control/setTimeScale", { timeScale }),
  choose: (_, chosen) => {
    choice = chosen;
    render();
  },
  open: ({ id = "" }) => {
    opened = id;
    render();
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
  },
};

document.addEventListener("click", ({ target }) => {
  const pressed = target instanceof Element ? target.closest("button[data-does]") : undefined;
  if (pressed instanceof HTMLElement) deeds[pressed.dataset["does"] ?? ""]?.(pressed.dataset, "");
});
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement) deeds[target.dataset["does"] ?? ""]?.(target.dataset, target.value);
});
dialog.addEventListener("close", () => (opened = ""));
// Beside the dialog is outside of it.
dialog.addEventListener("click", ({ target }) => {
  if (target === dialog && dialog instanceof HTMLDialogElement) dialog.close();
});
// The address of another server, in this tab.
addEventListener("hashchange", () => {
  takeToken();
  round += 1;
  forget();
  void ask("world");
});

takeToken();
await ask("world");
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, pause));
  if (document.visibilityState === "visible") await ask("world");
}
