import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { secondsOf } from "../../provider/src/definition/duration.ts";
import { nativeUrn } from "./shell.ts";
import { asOutput, asSecret, isProps, type Props, propsOf, struct } from "./structs.ts";

interface Checked {
  readonly inputs: Props;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

interface Difference {
  readonly changes: "unknown" | "none" | "some";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

const changes = ["unknown", "none", "some"] as const;

/** What the engine asks of a provider during a run. */
export interface Asked {
  check(olds: Props, news: Props): Promise<Checked>;
  diff(id: string, olds: Props, news: Props): Promise<Difference>;
  create(properties: Props): Promise<{ readonly id: string; readonly outputs: Props }>;
  /** An empty id means that the resource is gone. @param inputs those of the state, none before an import */
  read(id: string, properties: Props, inputs?: Props): Promise<{ readonly id: string; readonly inputs: Props; readonly outputs: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ readonly outputs: Props }>;
  delete(id: string, properties: Props): Promise<void>;
}

export interface Answers {
  readonly check: (request: messages.CheckRequest) => Promise<messages.CheckResponse>;
  readonly diff: (request: messages.DiffRequest) => Promise<messages.DiffResponse>;
  readonly create: (request: messages.CreateRequest) => Promise<messages.CreateResponse>;
  readonly read: (request: messages.ReadRequest) => Promise<messages.ReadResponse>;
  readonly update: (request: messages.UpdateRequest) => Promise<messages.UpdateResponse>;
  readonly delete: (request: messages.DeleteRequest) => Promise<unknown>;
}

/** What the engine knows of a resource, whatever the process of the provider. */
export interface Known {
  /** The inputs as last deployed. */
  readonly olds: Props;
  readonly options: Props;
}

/**
 * Asks the dynamic host, or the native plugin what a test asks the dynamic host. What the class of a dynamic resource hands over as private
 * inputs, the engine tells a plugin itself, as far as it tells it: the URN, time-outs, what is secret, and what a value that is not known
 * depends on. The dynamic host does not look at that.
 */
export class HostRequests implements Asked {
  readonly #answers: Answers;
  readonly #isNative: boolean;
  readonly #known: Map<string, Known>;

  /** @param known by URN: what earlier processes were told, too */
  constructor(answers: Answers, isNative: boolean, known: Map<string, Known>) {
    this.#answers = answers;
    this.#isNative = isNative;
    this.#known = known;
  }

  async check(olds: Props, news: Props): Promise<Checked> {
    this.#known.set(urnIn(news), { olds, options: news });
    const request = new messages.CheckRequest().setUrn(urnIn(news)).setOlds(struct(olds));
    const reply = await this.#answers.check(request.setNews(struct(this.#isNative ? fromProgram(news) : news)));
    const failures = reply.getFailuresList().map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
    return { inputs: propsOf(reply.getInputs()), failures };
  }

  async diff(id: string, olds: Props, news: Props): Promise<Difference> {
    const before = this.#known.get(urnIn(news))?.olds ?? olds;
    const request = new messages.DiffRequest().setUrn(urnIn(news)).setId(id).setOlds(struct(olds)).setNews(this.#inputs(news));
    const reply = await this.#answers.diff(request.setOldInputs(this.#inputs(before)));
    return {
      changes: changes[reply.getChanges()],
      replaces: reply.getReplacesList(),
      deleteBeforeReplace: reply.getDeletebeforereplace(),
    };
  }

  async create(properties: Props): ReturnType<Asked["create"]> {
    const request = new messages.CreateRequest().setUrn(urnIn(properties)).setProperties(this.#inputs(properties));
    const reply = await this.#answers.create(request.setTimeout(this.#timeout("create", properties)));
    return { id: reply.getId(), outputs: propsOf(reply.getProperties()) };
  }

  async read(id: string, properties: Props, inputs: Props = {}): ReturnType<Asked["read"]> {
    const request = new messages.ReadRequest().setUrn(urnIn(properties)).setId(id).setInputs(struct(inputs));
    const isNew = this.#isNative && Object.keys(properties).every((key) => key.startsWith("__"));
    const reply = await this.#answers.read(request.setProperties(struct(isNew ? {} : properties)));
    return { id: reply.getId(), inputs: propsOf(reply.getInputs()), outputs: propsOf(reply.getProperties()) };
  }

  async update(id: string, olds: Props, news: Props): ReturnType<Asked["update"]> {
    const request = new messages.UpdateRequest().setUrn(urnIn(news)).setId(id).setOlds(struct(olds)).setNews(this.#inputs(news));
    const reply = await this.#answers.update(request.setTimeout(this.#timeout("update", news)));
    return { outputs: propsOf(reply.getProperties()) };
  }

  async delete(id: string, properties: Props): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(urnIn(properties)).setId(id).setProperties(struct(properties));
    await this.#answers.delete(request.setTimeout(this.#timeout("delete", properties)));
  }

  /** Inputs that were checked: to a plugin, what the program gives as secrets comes as such. */
  #inputs(props: Props): ReturnType<typeof struct> {
    return struct(this.#isNative ? secretIn(props["__veiled"], props) : props);
  }

  /** In seconds; 0 is none. */
  #timeout(verb: string, props: Props): number {
    const { __timeouts: times } = { ...this.#known.get(urnIn(props))?.options };
    const time = isProps(times) ? times[verb] : undefined;
    return typeof time === "string" ? (secondsOf(time) ?? 0) : 0;
  }
}

/** The URN that a resource has as one of the plugin. */
function urnIn({ __urn: urn, __provider: stub }: Props): string {
  return nativeUrn(typeof urn === "string" ? urn : `urn:pulumi:test::laws::${tokenIn(stub)}::example`);
}

/** Of what a version without URNs has left behind: the kind that the text names. */
function tokenIn(stub: unknown): string {
  return `container-platform:index:${/get\("(\w+)"\)/.exec(String(stub))?.[1] ?? ""}`;
}

/** The arguments of a program, as the engine passes them. */
function fromProgram(news: Props): Props {
  const { __of: sources = {} } = news;
  const isSource = (path: string) => isProps(sources) && typeof sources[path] === "string";
  const marked = (value: unknown, path: string): unknown => {
    if (isSource(path) && isProps(sources)) return asOutput(value, [nativeUrn(String(sources[path]))]);
    if (Array.isArray(value)) return value.map((item, index) => marked(item, `${path}.${index}`));
    if (isProps(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, `${path}.${key}`)]));
    return value;
  };
  // A component gives its children the names of their arguments.
  const visible = Object.entries(news).filter(([key]) => !key.startsWith("__") || key === "__from");
  return secretIn(news["__veiled"], Object.fromEntries(visible.map(([key, value]) => [key, marked(value, key)])));
}

function secretIn(veiled: unknown, props: Props): Props {
  const isVeiled = (key: string) => Array.isArray(veiled) && veiled.includes(key);
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [key, isVeiled(key) && value !== undefined ? asSecret(value) : value]),
  );
}
