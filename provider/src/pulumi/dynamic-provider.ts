import type { Cloud } from "@container-platform/sdk";
import type { dynamic } from "@pulumi/pulumi";
import { warningsOfAdoption } from "../lifecycle/adoption.ts";
import { check } from "../lifecycle/check.ts";
import type { Context } from "../lifecycle/context.ts";
import { namespace } from "../runtime/configuration.ts";
import { isForRefresh, plan, planOfRefresh } from "../lifecycle/plan.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { privateStateOf } from "../lifecycle/private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { unofferedOfNew } from "../lifecycle/offers.ts";
import { Lifecycle } from "../lifecycle/lifecycle.ts";
import { withoutRoom } from "../lifecycle/program/amounts.ts";
import { refuseToLack, unmetNeeds } from "../lifecycle/program/needs.ts";
import type { QuietChecks } from "../lifecycle/program/quiet-checks.ts";
import type { ProviderProcess } from "./provider-process.ts";
import { namedOtherwise } from "../schema/named-otherwise.ts";
import { revealingOutputs } from "../schema/revealing.ts";
import { withSecretsMarked } from "../schema/secrets.ts";
import type { Props } from "../schema/values.ts";

/** A resource of the state, as it was and as it is to be. */
interface Change {
  readonly id: string;
  readonly olds: Props;
  readonly news: Props;
}

/** What a call needs besides its arguments. */
interface Opened {
  readonly kind: Kind;
  readonly cloud: Cloud;
  readonly defaultTags: Readonly<Record<string, string>>;
  readonly lifecycle: Lifecycle;
}

/** The lifecycle of one kind of resource, as Pulumi's dynamic host calls it. */
export class DynamicProvider implements dynamic.ResourceProvider<Props, Props> {
  readonly #kind: Promise<Kind>;
  readonly #process: ProviderProcess;

  constructor(kind: Promise<Kind>, process: ProviderProcess) {
    this.#kind = kind;
    // Each call waits for it, and throws its error then.
    kind.catch(() => undefined);
    this.#process = process;
  }

  configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#process.configure((key) => request.config.get(`${namespace}:${key}`));
    return Promise.resolve();
  }

  check(olds: Props, news: Props): Promise<dynamic.CheckResult<Props>> {
    return this.#checking(news, async () => {
      const { kind, cloud, defaultTags, lifecycle } = await this.#open(olds, news);
      const { inputs, failures, warnings } = check(kind, olds, news, { defaultTags });
      const context = this.#checkContext(cloud, news);
      if (failures.length === 0) lifecycle.noteChecked(context, olds, news);
      const unmet = await warningsOfAdoption(kind, this.#process.configured.session, olds, news);
      for (const warning of [...warnings, ...unmet]) context.warn(warning);
      const refusals = failures.length > 0 ? [] : await this.#refusalsOf(kind, lifecycle, context, { olds, news, inputs });
      // The engine prints the value of a property that is named here, even if it is secret. So none is named.
      const { __urn: urn, __from: names } = privateStateOf(news);
      const reasons = [...failures, ...refusals].map((reason) => this.#process.veil.hide(namedOtherwise(names, reason), urn));
      return { inputs: withSecretsMarked(kind, inputs), failures: reasons.map((reason) => ({ property: "", reason })) };
    });
  }

  diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    return this.#comparing(news, async () => {
      const { kind, cloud, lifecycle } = await this.#open(olds, news);
      lifecycle.refuseOtherHome(olds);
      lifecycle.notePlanned(id, olds, news);
      const { __urn: urn } = privateStateOf(news);
      const { session } = this.#process.configured;
      if (isForRefresh(kind, olds, news, session.claims.isChecked(urn))) return planOfRefresh(kind, olds, news);
      const planned = plan(kind, id, olds, news, cloud.now(), lifecycle.doubtAbout(olds));
      const { note, replaces, ...rest } = planned;
      lifecycle.refuseOtherHolder(id, olds, news, replaces !== undefined);
      await lifecycle.neighbourhood(news).refuseChange(this.#context(cloud, news), id, { olds, news, plan: planned });
      if (session.claims.isChecked(urn))
        await this.#refuseToLeave(kind, this.#context(cloud, news), replaces !== undefined, { id, olds, news });
      for (const remark of session.unsaid(id, note === undefined ? [] : [note])) this.#process.engine.note(urn, remark);
      return { ...rest, ...(replaces ? { replaces: [...replaces] } : {}) };
    });
  }

  /** @throws Error if others of the program cannot do without a resource in whose place a new one is made, or it leaves something in such a one */
  async #refuseToLeave(kind: Kind, context: Context, isReplaced: boolean, change: Change): Promise<void> {
    const { members, named, leftBehind } = this.#process.configured.session;
    const { __urn: urn } = privateStateOf(change.news);
    refuseToLack(members, kind, change.id, context.cloud.region);
    if (!isReplaced) return leftBehind.refuseToLeave(context, members, kind, change);
    named.refuseToLeave(kind, change.id, urn);
    leftBehind.refuseToReplace(kind, change.id, urn);
  }

  create(news: Props): Promise<dynamic.CreateResult<Props>> {
    return this.#working(news, async ({ kind, lifecycle }, context) => {
      await this.#checks.beforeWriting(privateStateOf(news).__urn, "created");
      const { id, outs } = await this.#writing(() => lifecycle.create(context, news));
      return { id, outs: stored(kind, outs) };
    });
  }

  read(id: string, props: Props = {}): Promise<dynamic.ReadResult<Props>> {
    return this.#working(props, async ({ kind, lifecycle }, context) => {
      const found = await lifecycle.read(context, id, props);
      return found ? { id, inputs: withSecretsMarked(kind, found.inputs), props: stored(kind, found.props) } : { id: "" };
    });
  }

  update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult<Props>> {
    return this.#working(news, async ({ kind, lifecycle }, context) => {
      await this.#checks.beforeWriting(privateStateOf(news).__urn, "updated");
      const { outs } = await this.#writing(() => lifecycle.update(context, id, olds, news));
      return { outs: stored(kind, outs) };
    });
  }

  delete(id: string, props: Props): Promise<void> {
    return this.#working(props, async ({ kind, lifecycle }, context) => {
      const { members, writes } = this.#process.configured.session;
      await this.#checks.beforeDeleting(privateStateOf(props).__urn, members.isToFollow(kind, id));
      const deleted = this.#writing(() => lifecycle.delete(context, id, props));
      return deleted.finally(() => {
        writes.noteEnded(`${kind.type} ${id}`);
      });
    });
  }

  /** Why a resource cannot be what the program says, as far as that depends on others and on the platform. */
  async #refusalsOf(
    kind: Kind,
    lifecycle: Lifecycle,
    context: Context,
    { olds, news, inputs }: { readonly olds: Props; readonly news: Props; readonly inputs: Props },
  ): Promise<readonly string[]> {
    const { session } = this.#process.configured;
    const looks = [
      async () => [...lifecycle.refusalsToHold(olds, inputs), ...(await unofferedOfNew(kind, context, inputs, olds))],
      () => lifecycle.neighbourhood(inputs).refusals(context, olds, news, inputs),
      () => session.named.refusals(context, session, kind, { olds, inputs }),
      () => unmetNeeds(context, session, privateStateOf(inputs).__urn, olds),
      () => withoutRoom(context, session, privateStateOf(inputs).__urn, olds),
      () => lifecycle.refusalsToImport(context, olds, inputs),
    ];
    for (const look of looks) {
      const refusals = await look();
      if (refusals.length > 0) return refusals;
    }
    return [];
  }

  /** Before anything is done with properties, what is secret in them is noted. */
  async #open(...all: readonly Props[]): Promise<Opened> {
    const kind = await this.#kind;
    for (const props of all) {
      const { __urn: urn, __veiled: given } = privateStateOf(props);
      this.#process.veil.note(kind, urn, props, given);
    }
    const { connection, ...run } = this.#process.configured;
    const { cloud, home, defaultTags } = await connection;
    return { kind, cloud, defaultTags, lifecycle: new Lifecycle(kind, home, run) };
  }

  /** The platform, and messages about one resource. */
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
      note: (message) => {
        note(urn, message);
      },
      warn: (message) => {
        warn(urn, message);
      },
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

  #checking(news: Props, check: () => Promise<dynamic.CheckResult<Props>>): Promise<dynamic.CheckResult<Props>> {
    const reasonsIn = ({ failures = [] }: dynamic.CheckResult<Props>) => failures.map(({ reason }) => reason);
    return this.#process.plainly(news, () => this.#checks.checking(privateStateOf(news).__urn, check, reasonsIn));
  }

  #comparing<T>(news: Props, compare: () => Promise<T>): Promise<T> {
    return this.#process.plainly(news, () => this.#checks.comparing(privateStateOf(news).__urn, compare));
  }

  get #checks(): QuietChecks {
    return this.#process.configured.session.checks;
  }

  #writing<T>(write: () => Promise<T>): Promise<T> {
    return this.#process.configured.session.writes.during(write);
  }

  #working<T>(props: Props, work: (opened: Opened, context: Context) => Promise<T>): Promise<T> {
    return this.#process.plainly(props, async () => {
      const opened = await this.#open(props);
      const context = this.#context(opened.cloud, props);
      try {
        return await this.#process.engine.during(() => work(opened, context));
      } catch (error) {
        // The host adds `__provider` to the properties that are returned, but not to those that are thrown. A state without it cannot be used.
        if (error instanceof Unfinished)
          Object.assign(error, { properties: { ...stored(opened.kind, error.properties), __provider: props["__provider"] } });
        throw error;
      } finally {
        // Otherwise the last message about a wait would stay in the resource's line.
        context.show("");
      }
    });
  }
}

/** What a resource is in a state. */
function stored(kind: Kind, props: Props): Props {
  return withSecretsMarked(kind, props, revealingOutputs(kind, props, privateStateOf(props).__veiled));
}
