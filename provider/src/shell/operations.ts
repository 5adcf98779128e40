import type { Cloud } from "@container-platform/sdk";
import { sayOutliving } from "../definition/outliving.ts";
import { adopted, beforeAdoption, warningsOfAdoption } from "../lifecycle/import/adoption.ts";
import { check } from "../lifecycle/check/check.ts";
import type { Context } from "../definition/context.ts";
import { isForRefresh, type Plan, plan, planOfRefresh } from "../lifecycle/plan.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { privateStateOf } from "../schema/private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { Lifecycle } from "../lifecycle/lifecycle.ts";
import { nameOf, typeOf } from "../schema/urn.ts";
import { hiddenOutputs, newlyHidden, sharedSecrets } from "./hidden-outputs.ts";
import type { ProviderProcess } from "./provider-process.ts";
import { namedOtherwise } from "../schema/paths.ts";
import { withSecretsMarked } from "../schema/secrets.ts";
import { pick, type Props } from "../schema/values.ts";

interface Opened {
  readonly kind: Kind;
  readonly cloud: Cloud;
  readonly defaultTags: Readonly<Record<string, string>>;
  readonly lifecycle: Lifecycle;
}

interface Checked {
  readonly inputs: Props;
  readonly refusals: readonly string[];
}

interface Found {
  readonly inputs: Props;
  readonly props: Props;
}

/**
 * The requests of the engine for one kind of resource, from any shell. Properties contain the private state that the shell knows, such as
 * the URN. Returned properties have their secrets marked.
 */
export class Operations {
  readonly #kind: Promise<Kind>;
  readonly #process: ProviderProcess;
  readonly #deletedUrns = new Set<string>();

  constructor(kind: Promise<Kind>, process: ProviderProcess) {
    this.#kind = kind;
    // Each call waits for it, and throws its error then.
    kind.catch(() => undefined);
    this.#process = process;
  }

  check(olds: Props, news: Props): Promise<Checked> {
    return this.#checking(news, async () => {
      const { kind, cloud, defaultTags, lifecycle } = await this.#open(olds, news);
      const { inputs, failures, warnings } = check(kind, olds, news, { defaultTags });
      const context = this.#checkContext(cloud, news);
      if (failures.length === 0) lifecycle.noteChecked(context, olds, news);
      const unmet = await warningsOfAdoption(kind, this.#process.configured.session, olds, news);
      for (const warning of [...warnings, ...unmet]) context.warn(warning);
      const refusals = failures.length > 0 ? [] : await this.#refusalsOf(lifecycle, context, { olds, news, inputs });
      const { __urn: urn, __from: names } = privateStateOf(news);
      const reasons = [...failures, ...refusals].map((reason) => this.#process.told(namedOtherwise(names, reason), urn));
      return { inputs: withSecretsMarked(kind, inputs), refusals: reasons };
    });
  }

  diff(id: string, olds: Props, news: Props): Promise<Plan> {
    return this.#noting(news, async () => {
      const { kind, cloud, lifecycle } = await this.#open(olds, news);
      lifecycle.refuseOtherHome(olds);
      lifecycle.notePlanned(id, olds, news);
      const { __urn: urn } = privateStateOf(news);
      const { session } = this.#process.configured;
      if (isForRefresh(kind, olds, news, session.graph.has(urn))) return planOfRefresh(kind, olds, news);
      const planned = plan(kind, id, olds, news, cloud.now());
      const { note, replaces } = planned;
      await lifecycle.refuseChange(this.#context(cloud, news), id, { olds, news, plan: planned });
      const hidden = session.graph.has(urn) && !replaces ? newlyHidden(kind, session.graph, olds, news) : [];
      const hiding = hidden.map((output) => `${output} becomes a secret: what it is made of is one now`);
      const outliving = replaces ? (kind.outliving?.(olds) ?? []).map((one) => `${id}: ${sayOutliving(one)}`) : [];
      for (const remark of session.unsaid(id, [...(note === undefined ? [] : [note]), ...outliving, ...hiding]))
        this.#process.engine.note(urn, remark);
      return hiding.length > 0 ? { ...planned, changes: true } : planned;
    });
  }

  create(news: Props): Promise<{ readonly id: string; readonly outs: Props }> {
    return this.#working(news, async ({ kind, lifecycle }, context) => {
      this.#refuseAfterRefusal(privateStateOf(news).__urn, "created");
      const { id, outs } = await lifecycle.create(context, news);
      return { id, outs: this.#stored(kind, outs) };
    });
  }

  read(id: string, props: Props): Promise<Found | undefined> {
    return this.#reading(props, ({ lifecycle }, context) => lifecycle.read(context, id, props));
  }

  /** Reads a resource to import, with the inputs that a program would declare. @throws Error if it does not exist */
  adopt(id: string, props: Props): Promise<Found | undefined> {
    return this.#reading(props, async ({ kind, lifecycle }, context) => {
      const found = await lifecycle.read(context, id, beforeAdoption(kind, props));
      return found && adopted(kind, context.cloud, id, props, found);
    });
  }

  #reading(props: Props, read: (opened: Opened, context: Context) => Promise<Found | undefined>): Promise<Found | undefined> {
    return this.#working(props, async (opened, context) => {
      const found = await read(opened, context);
      if (!found) return undefined;
      const inputs = withSecretsMarked(opened.kind, found.inputs, this.#shared(opened.kind, found.props));
      return { inputs, props: this.#stored(opened.kind, found.props) };
    });
  }

  update(id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }> {
    return this.#working(news, async ({ kind, lifecycle }, context) => {
      this.#refuseAfterRefusal(privateStateOf(news).__urn, "updated");
      const { outs } = await lifecycle.update(context, id, olds, news);
      return { outs: this.#stored(kind, { ...outs, ...pick(olds, ["__hides"]) }) };
    });
  }

  delete(id: string, props: Props): Promise<void> {
    return this.#working(props, async ({ kind, lifecycle }, context) => {
      const { graph } = this.#process.configured.session;
      const { __urn: urn } = privateStateOf(props);
      if (graph.isRecreated(kind, id)) this.#refuseAfterRefusal(urn, "replaced");
      this.#deletedUrns.add(urn);
      await lifecycle.delete(context, id, props);
    });
  }

  /** Keeps Pulumi from creating resources that it has checked before another one failed. A deleted resource is recreated all the same. */
  #refuseAfterRefusal(urn: string, write: "created" | "updated" | "replaced"): void {
    const [why] = this.#process.configured.session.failedChecks.values();
    if (why !== undefined && !this.#deletedUrns.has(urn)) throw new Error(`not ${write}, because ${why}`);
  }

  /** Why a resource cannot be what the program says, as far as that depends on others and on the platform. */
  async #refusalsOf(
    lifecycle: Lifecycle,
    context: Context,
    { olds, news, inputs }: { readonly olds: Props; readonly news: Props; readonly inputs: Props },
  ): Promise<readonly string[]> {
    const refusals = await lifecycle.refusals(context, olds, news, inputs);
    return refusals.length > 0 ? refusals : lifecycle.refusalsToImport(context, olds, inputs);
  }

  /** Notes the secrets in the properties, before anything else is done with them. */
  async #open(...all: readonly Props[]): Promise<Opened> {
    const kind = await this.#kind;
    for (const props of all) {
      const { __urn: urn, __veiled: given } = privateStateOf(props);
      this.#process.veil.note(kind, urn, props, given);
    }
    const { connection, session } = this.#process.configured;
    const here = await connection;
    const { cloud, defaultTags } = here;
    return { kind, cloud, defaultTags, lifecycle: new Lifecycle(kind, here, session) };
  }

  #context(cloud: Cloud, props: Props): Context {
    const urn = privateStateOf(props).__urn;
    const { stopped: signal, show, note, warn } = this.#process.engine;
    let shown = "";
    return {
      cloud,
      signal,
      show: (message) => {
        if (message !== shown) show(urn, message);
        shown = message;
      },
      note: (message) => note(urn, message),
      warn: (message) => warn(urn, message),
    };
  }

  /** The engine checks what it replaces twice: each warning is shown once. */
  #checkContext(cloud: Cloud, props: Props): Context {
    const { __urn: urn, __from: names } = privateStateOf(props);
    const context = this.#context(cloud, props);
    const warn = (message: string): void => {
      this.#process.configured.session.unsaid(urn, [namedOtherwise(names, message)]).forEach(context.warn);
    };
    return { ...context, warn };
  }

  #checking(news: Props, check: () => Promise<Checked>): Promise<Checked> {
    return this.#noting(news, check, ({ refusals }) => refusals);
  }

  /** Records whether a resource failed validation. */
  #noting<T>(news: Props, work: () => Promise<T>, reasonsIn: (result: T) => readonly string[] = () => []): Promise<T> {
    const { __urn: urn } = privateStateOf(news);
    const { failedChecks } = this.#process.configured.session;
    const refuse = (why: string) => failedChecks.set(urn, `${typeOf(urn)} "${nameOf(urn)}" failed validation${why}`);
    return this.#process.plainly(news, async () => {
      try {
        const result = await work();
        const reasons = reasonsIn(result);
        // The remedies are shown with the resource itself.
        if (reasons.length > 0) refuse(`: ${reasons.map((reason) => reason.split("\n", 1)[0]).join("; ")}`);
        else failedChecks.delete(urn);
        return result;
      } catch (error) {
        refuse("");
        throw error;
      }
    });
  }

  #working<T>(props: Props, work: (opened: Opened, context: Context) => Promise<T>): Promise<T> {
    return this.#process.plainly(props, async () => {
      const opened = await this.#open(props);
      const context = this.#context(opened.cloud, props);
      try {
        return await this.#process.engine.during(() => work(opened, context));
      } catch (error) {
        if (error instanceof Unfinished) error.properties = this.#stored(opened.kind, error.properties);
        throw error;
      } finally {
        // Otherwise the last message about a wait would stay in the resource's line.
        context.show("");
      }
    });
  }

  #stored(kind: Kind, props: Props): Props {
    const { own, ofContainer } = hiddenOutputs(kind, this.#process.configured.session.graph, props);
    const remembered = { __hides: ofContainer.length === 0 ? undefined : ofContainer };
    return withSecretsMarked(kind, { ...props, ...remembered }, [...own, ...ofContainer, ...this.#shared(kind, props)]);
  }

  #shared(kind: Kind, props: Props): readonly string[] {
    return privateStateOf(props).__get ? sharedSecrets(kind, props, this.#process.veil) : [];
  }
}
