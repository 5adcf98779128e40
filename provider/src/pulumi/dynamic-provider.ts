import type { Cloud } from "@container-platform/sdk";
import type { dynamic } from "@pulumi/pulumi";
import { check } from "../lifecycle/check.ts";
import { confirmTold } from "../recovery/confirm.ts";
import { configurationFrom, namespace, openSession, type Session } from "../runtime/configuration.ts";
import { diff } from "../lifecycle/plan.ts";
import { type Engine, engineOf } from "./engine.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { hiddenOf } from "../lifecycle/private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { Lifecycle } from "../lifecycle/lifecycle.ts";
import { confirmKnown } from "../recovery/creation.ts";
import { leaving } from "../schema/secrets.ts";
import type { Props } from "../schema/values.ts";
import type { Run } from "../lifecycle/poll.ts";

// The engine ends a provider with this signal, once all is saved. An engine that is killed sends none.
process.once("SIGINT", () => {
  confirmKnown();
  void confirmTold().finally(() => process.exit());
});

let engine: Engine | undefined;
let session: Promise<Session> | undefined;

/** The lifecycle of one kind of resource, as Pulumi's dynamic host calls it. */
export class DynamicProvider implements dynamic.ResourceProvider<Props, Props> {
  readonly #kind: Promise<Kind>;

  constructor(kind: Promise<Kind>) {
    this.#kind = kind;
    // Whoever calls next waits for it, and is told.
    kind.catch(() => undefined);
    engine ??= engineOf();
  }

  /** Never waits: the host lets the calls of a second resource pass before the first one's configuration is done. */
  configure(request: dynamic.ConfigureRequest): Promise<void> {
    session ??= configurationFrom((key) => request.config.get(`${namespace}:${key}`)).then(openSession);
    session.catch(() => undefined);
    return Promise.resolve();
  }

  check(olds: Props, news: Props): Promise<dynamic.CheckResult<Props>> {
    return plainly(async () => {
      const kind = await this.#kind;
      const { cloud, home, defaultTags } = await this.#session();
      const { inputs, failures, warnings } = check(kind, olds, news, { defaultTags });
      const run = this.#telling(cloud, news);
      for (const warning of warnings) run.warn(warning);
      const refusals = failures.length > 0 ? [] : await new Lifecycle(kind, home).refusalsToAdopt(run, olds, inputs);
      // Named in `property`, the value would be printed with the failure, secret or not.
      return { inputs: leaving(kind, inputs), failures: [...failures, ...refusals].map((reason) => ({ property: "", reason })) };
    });
  }

  diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    return plainly(async () => {
      const kind = await this.#kind;
      const { cloud, home } = await this.#session();
      const lifecycle = new Lifecycle(kind, home);
      lifecycle.refuseStranger(olds);
      lifecycle.noteCompared(id, olds, news);
      const { note, replaces, ...rest } = diff(kind, id, olds, news, cloud.now());
      if (note !== undefined) engine?.note(hiddenOf(news).__urn, note);
      return { ...rest, ...(replaces ? { replaces: [...replaces] } : {}) };
    });
  }

  create(news: Props): Promise<dynamic.CreateResult<Props>> {
    return this.#working(news, async (lifecycle, run) => {
      const { id, outs } = await lifecycle.create(run, news);
      return { id, outs: leaving(await this.#kind, outs) };
    });
  }

  read(id: string, props: Props = {}): Promise<dynamic.ReadResult<Props>> {
    return this.#working(props, async (lifecycle, run) => {
      const kind = await this.#kind;
      const found = await lifecycle.read(run, id, props);
      return found ? { id, inputs: leaving(kind, found.inputs), props: leaving(kind, found.props) } : { id: "" };
    });
  }

  update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult<Props>> {
    return this.#working(news, async (lifecycle, run) => ({
      outs: leaving(await this.#kind, (await lifecycle.update(run, id, olds, news)).outs),
    }));
  }

  delete(id: string, props: Props): Promise<void> {
    return this.#working(props, (lifecycle, run) => lifecycle.delete(run, id, props));
  }

  #session(): Promise<Session> {
    if (!session) throw new Error("the provider is not configured");
    return session;
  }

  /** The platform, and the person who watches a resource. */
  #telling(cloud: Cloud, props: Props): Run {
    const urn = hiddenOf(props).__urn;
    const { stopped: signal, show, note, warn } = (engine ??= engineOf());
    let shown = "";
    return {
      cloud,
      signal,
      show: (message) => {
        if (message !== shown) show(urn, message);
        shown = message;
      },
      note: (message) => {
        note(urn, message);
      },
      warn: (message) => {
        warn(urn, message);
      },
    };
  }

  #working<T>(props: Props, work: (lifecycle: Lifecycle, run: Run) => Promise<T>): Promise<T> {
    return plainly(async () => {
      const kind = await this.#kind;
      const { cloud, home } = await this.#session();
      const run = this.#telling(cloud, props);
      const { during } = (engine ??= engineOf());
      try {
        return await during(() => work(new Lifecycle(kind, home), run));
      } catch (error) {
        if (error instanceof Unfinished) Object.assign(error, { properties: leaving(kind, error.properties) });
        throw error;
      } finally {
        // What was waited for is over, and would otherwise stay in the resource's line.
        run.show("");
      }
    });
  }
}

/** Errors for the person at the terminal: a sentence, without the stack of this library. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      error.stack = error.message;
      told.add(`${error}: ${error.stack}`);
    }
    throw error;
  }
}

const told = new Set<string>();
const print = console.error;
// The host prints what it is thrown, and the engine then shows it a second time.
console.error = (...words: unknown[]) => {
  const [text] = words;
  if (typeof text !== "string" || !told.delete(text)) print(...words);
};
