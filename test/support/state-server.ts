import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

/**
 * `node state-server.ts FOLDER REPLAY EXPORTS [PORT]`: imitates the part of Pulumi Cloud's API that the engine calls for states, and prints
 * its address. Each stack is a file in FOLDER, so that a killed server loses nothing that it has confirmed. Pulumi's own code, in the program
 * REPLAY, turns journal entries into a state. It encrypts nothing. Ends when its standard input ends.
 *
 * EXPORTS: `journal`, if an export in the middle of an update shows the entries received so far, or `base`, if it shows the state before the
 * update: Pulumi does not document which of the two Pulumi Cloud does.
 */
const [folder = "", replayProgram = "", exports = "journal", port = "0"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const organization = "acme";
/** In milliseconds, as Pulumi Cloud grants it. */
const lease = 300_000;

const deployment = z.object({ version: z.number(), features: z.array(z.string()).optional(), deployment: z.unknown() });
const entry = z.looseObject({ sequenceID: z.number() });
const updateSchema = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(["not started", "running", "succeeded", "failed", "cancelled"]),
  token: z.string(),
  expires: z.number(),
  /** The entries that are not a part of the state yet. */
  entries: z.array(entry),
  /** How many entries it has sent in all. */
  journaled: z.number(),
  config: z.unknown(),
  metadata: z.looseObject({}),
});
const tags = z.record(z.string(), z.string());
const stackSchema = z.object({ project: z.string(), name: z.string(), tags, state: deployment, updates: z.array(updateSchema) });
type Stack = z.output<typeof stackSchema>;
type Update = z.output<typeof updateSchema>;

class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function replay(base: unknown, entries: Update["entries"]): Stack["state"] {
  // The engine numbers them in the order in which they apply, and may send them in another one.
  const input = JSON.stringify({ base, entries: entries.toSorted((one, other) => one.sequenceID - other.sequenceID) });
  return deployment.parse(JSON.parse(execFileSync(replayProgram, { input, encoding: "utf8", maxBuffer: 1e9 })));
}

const fileOf = (project: string, name: string) => join(folder, `${project}.${name}.json`);

function save(stack: Stack): void {
  const file = fileOf(stack.project, stack.name);
  writeFileSync(`${file}.new`, JSON.stringify(stack));
  renameSync(`${file}.new`, file);
}

function all(): Stack[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.map((file) => stackSchema.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))));
}

/** A stack. The journal of an update whose lease has ended becomes the state. */
function stackAt({ project, stack: name }: Call["path"]): Stack {
  const stack = all().find((one) => one.project === project && one.name === name);
  if (!stack) throw new Refused(404, "Not Found: Stack not found");
  const held = runningIn(stack);
  if (held && held.expires < Date.now()) close(stack, held, "failed");
  return stack;
}

/** The update that holds the lease. A preview takes none. */
const runningIn = ({ updates }: Stack) => updates.find(({ kind, status }) => kind !== "preview" && status === "running");

function close(stack: Stack, update: Update, status: Update["status"]): void {
  if (update.entries.length > 0) stack.state = replay(stack.state, update.entries);
  Object.assign(update, { status, entries: [] });
  save(stack);
}

interface Call {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The token of the request, without its kind. */
  readonly token: string;
}

function updateAt(stack: Stack, { path: { id } }: Call): Update {
  const update = stack.updates.find((one) => one.id === id);
  if (!update) throw new Refused(404, "Not Found: Update not found");
  return update;
}

/** An update that runs, for a call with its token. */
function running(call: Call): { readonly stack: Stack; readonly update: Update } {
  const stack = stackAt(call.path);
  const update = updateAt(stack, call);
  if (update.status !== "running" || update.token !== call.token) throw new Refused(403, "Forbidden: The update's lease has ended");
  return { stack, update };
}

const summary = ({ project, name, updates }: Stack) => ({
  id: name,
  orgName: organization,
  projectName: project,
  stackName: name,
  // Pulumi takes zero for an update in progress.
  ...(updates.length > 0 && { lastUpdate: updates.some(({ status }) => status === "running") ? 0 : Math.floor(Date.now() / 1000) }),
});

const history = ({ updates }: Stack) =>
  updates
    .filter(({ kind, status }) => kind !== "preview" && status !== "not started")
    .map(({ kind, status, config, metadata }, index) => {
      const result = status === "running" ? "in-progress" : status === "succeeded" ? status : "failed";
      return { kind, startTime: 0, endTime: 0, version: index + 1, result, config, message: "", environment: {}, ...metadata };
    })
    .toReversed();

function created({ path, body }: Call): void {
  const given = z.object({ stackName: z.string(), tags: tags.nullish(), state: deployment.nullish() }).parse(body);
  const [project = "", name] = [path["project"], given.stackName];
  if (all().some((one) => one.project === project && one.name === name)) throw new Refused(409, "Conflict: Stack already exists");
  const state = given.state ?? replay({ version: 3, deployment: null }, []);
  save({ project, name, tags: given.tags ?? {}, state, updates: [] });
}

function begun({ path, body }: Call): object {
  const stack = stackAt(path);
  const { config, metadata } = z.object({ config: z.unknown(), metadata: z.looseObject({}) }).parse(body);
  const own = { id: randomUUID(), kind: path["kind"] ?? "", token: randomUUID(), config, metadata };
  stack.updates.push({ ...own, status: "not started", expires: 0, entries: [], journaled: 0 });
  save(stack);
  return { updateID: own.id };
}

function started(call: Call): object {
  const stack = stackAt(call.path);
  const update = updateAt(stack, call);
  const given = z.object({ tags: tags.nullish(), journalVersion: z.number().default(0) }).parse(call.body);
  if (update.kind !== "preview" && runningIn(stack)) throw new Refused(409, "Conflict: Another update is currently in progress.");
  Object.assign(update, { status: "running", expires: Date.now() + lease });
  if (given.tags) stack.tags = given.tags;
  save(stack);
  const { token, expires } = update;
  const [version, journalVersion] = [history(stack).length, Math.min(given.journalVersion, 1)];
  return { version, token, tokenExpiration: Math.floor(expires / 1000), journalVersion };
}

function journaled(call: Call): void {
  const { stack, update } = running(call);
  const { entries = [] } = z.object({ entries: z.array(entry).optional() }).parse(call.body);
  // The engine sends a batch again if the response is lost.
  const received = new Set(update.entries.map(({ sequenceID }) => sequenceID));
  const news = entries.filter(({ sequenceID }) => !received.has(sequenceID));
  update.entries.push(...news);
  update.journaled += news.length;
  save(stack);
}

function renewed(call: Call): object {
  const { stack, update } = running(call);
  update.expires = Date.now() + lease;
  save(stack);
  return { token: update.token, tokenExpiration: Math.floor(update.expires / 1000) };
}

function completed(call: Call): void {
  const { stack, update } = running(call);
  const { status } = z.object({ status: updateSchema.shape.status }).parse(call.body);
  close(stack, update, status);
}

function cancelled(call: Call): void {
  const stack = stackAt(call.path);
  const update = updateAt(stack, call);
  if (update.status !== "running") throw new Refused(409, "Conflict: The update has already completed");
  close(stack, update, "cancelled");
}

function imported({ path, body }: Call): object {
  const stack = stackAt(path);
  if (runningIn(stack)) throw new Refused(409, "Conflict: Another update is currently in progress.");
  stack.state = deployment.parse(body);
  const own = { id: randomUUID(), kind: "import", token: "", config: {}, metadata: {} };
  stack.updates.push({ ...own, status: "succeeded", expires: 0, entries: [], journaled: 0 });
  save(stack);
  return { updateId: own.id };
}

function exported({ path }: Call): Stack["state"] {
  const stack = stackAt(path);
  const { entries = [] } = runningIn(stack) ?? {};
  return exports === "base" || entries.length === 0 ? stack.state : replay(stack.state, entries);
}

function deleted({ path, query }: Call): void {
  const stack = stackAt(path);
  const { resources = [] } = z.object({ resources: z.array(z.unknown()).optional() }).parse(stack.state.deployment);
  if (resources.length > 0 && query.get("force") !== "true") throw new Refused(400, "Bad Request: Stack still contains resources.");
  rmSync(fileOf(stack.project, stack.name));
}

const user = { id: "user", githubLogin: organization, name: "User", email: "user@example.com", organizations: [], identities: [] };
const capabilities = [{ capability: "batch-encrypt" }, { capability: "deployment-schema-version", configuration: { version: 4 } }];
/** Bytes come in base64, as JSON from Go has them. */
const plain = z.object({ plaintext: z.string() });
const cipher = z.object({ ciphertext: z.string() });
const plains = z.object({ plaintexts: z.array(z.string()) });
const ciphers = z.object({ ciphertexts: z.array(z.string()) });

const stackPath = `/api/stacks/${organization}/:project/:stack`;
const updatePath = `${stackPath}/update/:id`;

/** By method and path, in which `:name` is any part. */
const routes: Readonly<Record<string, (call: Call) => unknown>> = {
  "GET /api/capabilities": () => ({ capabilities }),
  "GET /api/user": () => user,
  "GET /api/user/organizations/default": () => ({ GitHubLogin: organization }),
  "GET /api/user/stacks": ({ query }) => {
    const project = query.get("project");
    return {
      stacks: all()
        .filter((one) => project === null || one.project === project)
        .map(summary),
    };
  },
  [`HEAD /api/stacks/${organization}/:project`]: ({ path }) => {
    if (!all().some(({ project }) => project === path["project"])) throw new Refused(404, "Not Found: Project not found");
  },
  [`POST /api/stacks/${organization}/:project`]: created,
  [`GET ${stackPath}`]: ({ path }) => {
    const stack = stackAt(path);
    const latest = stack.updates.findLast(({ kind, status }) => kind !== "preview" && status !== "not started");
    return { ...summary(stack), activeUpdate: latest?.id ?? "", tags: stack.tags, version: history(stack).length };
  },
  [`DELETE ${stackPath}`]: deleted,
  [`GET ${stackPath}/export`]: exported,
  [`POST ${stackPath}/import`]: imported,
  [`PATCH ${stackPath}/tags`]: ({ path, body }) => save({ ...stackAt(path), tags: tags.parse(body) }),
  [`GET ${stackPath}/updates`]: ({ path }) => ({ updates: history(stackAt(path)) }),
  [`GET ${stackPath}/updates/latest`]: ({ path }) => {
    const [info] = history(stackAt(path));
    if (!info) throw new Refused(404, "Not Found: no updates");
    return { info };
  },
  [`POST ${stackPath}/encrypt`]: ({ body }) => ({ ciphertext: plain.parse(body).plaintext }),
  [`POST ${stackPath}/decrypt`]: ({ body }) => ({ plaintext: cipher.parse(body).ciphertext }),
  [`POST ${stackPath}/batch-encrypt`]: ({ body }) => ({ ciphertexts: plains.parse(body).plaintexts }),
  [`POST ${stackPath}/batch-decrypt`]: ({ body }) => ({
    plaintexts: Object.fromEntries(ciphers.parse(body).ciphertexts.map((one) => [one, one])),
  }),
  [`POST ${stackPath}/decrypt/log-batch-decryption`]: () => ({}),
  [`POST ${stackPath}/:kind`]: begun,
  [`GET ${updatePath}`]: (call) => ({ status: updateAt(stackAt(call.path), call).status, events: [] }),
  [`POST ${updatePath}`]: started,
  [`PATCH ${updatePath}/journalentries`]: journaled,
  [`PATCH ${updatePath}/checkpoint`]: (call) => save({ ...running(call).stack, state: deployment.parse(call.body) }),
  [`POST ${updatePath}/renew_lease`]: renewed,
  [`POST ${updatePath}/events/batch`]: (call) => void running(call),
  [`POST ${updatePath}/complete`]: completed,
  [`POST ${updatePath}/cancel`]: cancelled,
};

const matchers = Object.entries(routes).map(
  ([route, handle]) => [new RegExp(`^${route.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`), handle] as const,
);

async function answer(request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://localhost");
  const sent = await buffer(request);
  const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString();
  const [kind, token = ""] = (request.headers.authorization ?? "").split(" ");
  if (kind === "" || token === "") throw new Refused(401, "Unauthorized: No credentials provided or are invalid.");
  for (const [pattern, handle] of matchers) {
    const found = pattern.exec(`${request.method} ${pathname}`);
    if (found) return handle({ path: found.groups ?? {}, query, body: text === "" ? undefined : JSON.parse(text), token });
  }
  console.error(`state-server: the engine calls ${request.method} ${pathname}, which is not imitated`);
  throw new Refused(404, "Not Found");
}

const server = createServer((request, response) => {
  const respond = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
  answer(request).then(
    (body) => respond(200, body),
    (error: unknown) => {
      const code = error instanceof Refused ? error.code : 500;
      respond(code, { code, message: error instanceof Error ? error.message : String(error) });
    },
  );
});
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}`);
});
process.stdin.once("end", () => process.exit()).resume();
