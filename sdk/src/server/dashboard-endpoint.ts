import { createHash, timingSafeEqual } from "node:crypto";
import type { World } from "../local/store/world.ts";
import { pageFile, type RegistryPort, shownOf } from "../served/dashboard/dashboard.ts";
import { carryOut } from "./control-endpoint.ts";
import { dashboardPath, headerOf, type Incoming, json, type Outgoing } from "./http-messages.ts";

/** Who may look into the dashboard, and what it shows besides the world. */
export interface DashboardOptions {
  /** Without it, nothing of the world is told. */
  readonly token: string;
  readonly ports: () => Promise<readonly RegistryPort[]>;
}

/** The commands that the page has. No others: a snapshot has secrets in it, and a reset takes everything away. */
const commands = ["advance", "freeze", "unfreeze", "setTimeScale"];

const types: Readonly<Record<string, string>> = { html: "text/html", css: "text/css", js: "text/javascript" };

/**
 * Answers requests of the dashboard: the page and its files, which say nothing of the world, to any browser of this machine; the world and the
 * control of its clock to who has the token.
 */
export async function answerDashboard(world: World, { token, ports }: DashboardOptions, incoming: Incoming): Promise<Outgoing> {
  const refusal = strangeness(incoming);
  if (refusal !== undefined) return told(403, refusal);
  const name = incoming.path.slice(dashboardPath.length);
  const isControl = name.startsWith("control/");
  if (name !== "world" && !isControl) return fileNamed(incoming, incoming.path === "/" ? "index.html" : name);
  if (!hasToken(incoming, token)) return told(401, "the token is not that of this server: open the address that it has printed");
  if (incoming.method !== (isControl ? "POST" : "GET")) return told(405, `${incoming.path} takes no ${incoming.method}`);
  if (isControl) {
    const command = name.slice("control/".length);
    if (!commands.includes(command)) return told(404, `the page has no command ${command}; it has ${commands.join(", ")}`);
    // What a command answers has the seed in it, from which keys are drawn: the page gets what it shows instead.
    const done = await carryOut(world, command, incoming.body);
    if (done.status !== 200) return { ...done, headers: { ...done.headers, ...always } };
  }
  return json(200, await shownOf(world, await ports()), always);
}

/** Sent with all answers: the page loads nothing from elsewhere, is framed by nobody, and leaves nothing in caches or in other pages' reach. */
const always = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Why a request does not come from the dashboard itself. Any website can have a browser send requests to this machine, also under a name of its
 * own that it lets resolve to it: the name is in `Host`, the website in `Origin`.
 */
function strangeness({ headers, path }: Incoming): string | undefined {
  const { host = "", origin } = headers;
  if (!loopbackHost.test(host)) return `the dashboard is for this machine alone: its host is localhost, 127.0.0.1 or [::1], not ${host}`;
  if (origin !== undefined && origin !== `http://${host}`) return `the dashboard takes no requests of ${origin}`;
  const site = headerOf(headers, "sec-fetch-site") ?? "none";
  // A link to the page may stand anywhere; all else is asked for by the page.
  if (path !== "/" && !["same-origin", "none"].includes(site)) return "the dashboard takes no requests of other sites";
  return undefined;
}

/** Compares hashes, which takes the same time whatever is given. */
function hasToken({ headers }: Incoming, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ""), hash(`Bearer ${token}`));
}

async function fileNamed({ method }: Incoming, name: string): Promise<Outgoing> {
  if (method !== "GET") return told(405, `the page takes no ${method}`);
  const [, ending = ""] = /^[a-z-]+\.(html|css|js)$/.exec(name) ?? [];
  const type = types[ending];
  const body = type === undefined ? undefined : await pageFile(name);
  if (type === undefined || body === undefined) return told(404, "the dashboard has no such file");
  return { status: 200, headers: { ...always, "content-type": `${type}; charset=utf-8` }, body };
}

function told(status: number, error: string): Outgoing {
  return json(status, { error }, always);
}
