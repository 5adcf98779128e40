import { type Coded, parse, ProviderError, refusal, render } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { sayOutliving } from "../definition/outliving.ts";
import { check } from "../lifecycle/check.ts";
import { create } from "../lifecycle/create.ts";
import { remove } from "../lifecycle/delete.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { refuseOtherHome } from "../lifecycle/home.ts";
import { adopt, refusalsToImport, warningsOfAdoption } from "../lifecycle/import.ts";
import { type Plan, plan, planOfRefresh } from "../lifecycle/plan.ts";
import { type Found, read } from "../lifecycle/read.ts";
import { knownOf } from "../lifecycle/resource.ts";
import { update } from "../lifecycle/reconcile.ts";
import { worldOf } from "../lifecycle/world.ts";
import type { Resource } from "../ownership/session.ts";
import { isInTagProduct, separatingOwnershipTags } from "../ownership/tags.ts";
import { evaluate } from "../program/invariants.ts";
import { namedOtherwise, type OtherNames } from "../schema/paths.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { withSecretsMarked } from "../schema/secrets.ts";
import { nameOf, typeOf } from "../schema/urn.ts";
import { pick, type Props } from "../schema/values.ts";
import { hiddenOutputs, newlyHidden, sharedSecrets } from "./hidden-outputs.ts";
import type { ProviderProcess } from "./provider-process.ts";

/** A message with the names of the program that declares the component. */
const renamed = (names: OtherNames, one: Coded): Coded => ({
  ...one,
  path: one.path && namedOtherwise(names, `${one.path}:`).slice(0, -1),
  message: namedOtherwise(names, one.message),
});

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

  check(olds: Props, news: Props): Promise<{ readonly inputs: Props; readonly refusals: readonly string[] }> {
    const work = async () => {
      const { defaultTags, ...opened } = await this.#open(news, olds);
      const { kind, urn, session } = opened;
      const { __from: names } = privateStateOf(news);
      // The engine checks what it replaces twice: each warning is shown once.
      const warn = (warning: Coded) => session.unsaid(urn, [renamed(names, warning)]).forEach(opened.warn);
      const resource = { ...opened, warn };
      const isNew = Object.keys(olds).length === 0;
      const { inputs, failures, warnings } = check(kind, olds, news, defaultTags);
      // If this fails, the creation lists them again, and fails then.
      if (failures.length === 0 && isNew && isInTagProduct(kind.owned)) session.pending.list(resource.cloud, warn).catch(() => undefined);
      for (const warning of [...warnings, ...(isNew ? await warningsOfAdoption(resource) : [])]) warn(warning);
      let refusals: readonly Coded[] = failures;
      if (refusals.length === 0) {
        const node = session.graph.recordCheck(kind, olds, news, inputs);
        refusals = await evaluate(session.graph, node, worldOf(resource), "check");
      }
      if (refusals.length === 0 && isNew) refusals = await refusalsToImport({ ...resource, props: inputs });
      const told = refusals.map((one) => this.#process.told(render(renamed(names, one)), urn));
      return { inputs: withSecretsMarked(kind, inputs), refusals: told };
    };
    return this.#validating(news, work, ({ refusals }) => refusals);
  }

  diff(id: string, olds: Props, news: Props): Promise<Plan> {
    return this.#validating(news, async () => {
      const resource = await this.#open(news, olds);
      const { kind, urn, session, cloud } = resource;
      const { graph } = session;
      session.inState.note(kind, id);
      session.noteHolder(kind, id, knownOf(kind, id, olds), news);
      const isDeclared = graph.get(urn) !== undefined;
      const refresh = isDeclared ? undefined : planOfRefresh(kind, olds, news);
      if (refresh) return refresh;
      const planned = plan(kind, id, olds, news, cloud.now());
      const { note, replaces } = planned;
      // A refresh compares without a program.
      const node = graph.recordDiff(kind, id, olds, news, planned);
      const refusals = node ? await evaluate(graph, node, worldOf(resource), isDeclared ? "diff" : "cascade") : [];
      if (refusals.length > 0) throw refusal(refusals);
      const hidden = isDeclared && !replaces ? newlyHidden(kind, graph, olds, news) : [];
      const hiding = hidden.map((output) => `${output} becomes a secret, because it contains a value that is one now`);
      const outliving = replaces ? (kind.outliving?.(olds) ?? []).map((one) => `${id}: ${sayOutliving(one)}`) : [];
      session.unsaid(id, [...(note === undefined ? [] : [note]), ...outliving, ...hiding]).forEach(resource.note);
      return hiding.length > 0 ? { ...planned, changes: true } : planned;
    });
  }

  create(news: Props): Promise<{ readonly id: string; readonly outs: Props }> {
    return this.#working(news, {}, async (resource) => {
      this.#requireNoFailedCheck(resource, "created");
      const { id, outs } = await create(resource);
      return { id, outs: this.#stored(resource.kind, outs) };
    });
  }

  read(id: string, props: Props): Promise<Found | undefined> {
    return this.#working(props, props, async (resource) => this.#found(resource.kind, await read(resource, id)));
  }

  /** Reads a resource to import, with the inputs that a program would declare. @throws Error if it does not exist */
  adopt(id: string, props: Props): Promise<Found | undefined> {
    return this.#working(props, props, async (resource) => this.#found(resource.kind, await adopt(resource, id)));
  }

  update(id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }> {
    return this.#working(news, olds, async (resource) => {
      this.#requireNoFailedCheck(resource, "updated");
      const outs = await update(resource, id, olds);
      return { outs: this.#stored(resource.kind, { ...outs, ...pick(olds, ["__hides"]) }) };
    });
  }

  delete(id: string, props: Props): Promise<void> {
    return this.#working(props, props, async (resource) => {
      if (resource.session.graph.isRecreated(resource.kind, id)) this.#requireNoFailedCheck(resource, "replaced");
      this.#deletedUrns.add(resource.urn);
      await remove(resource, id);
    });
  }

  /** Keeps Pulumi from creating resources that it has checked before another one failed. A deleted resource is recreated all the same. */
  #requireNoFailedCheck({ urn, session: { failedCheck } }: Resource, write: "created" | "updated" | "replaced"): void {
    if (failedCheck !== undefined && !this.#deletedUrns.has(urn))
      throw new ProviderError("Skipped", `not ${write}, because ${failedCheck}`);
  }

  /** The resource of a request. The secrets in its properties are noted first. @throws Error if it was created at another target */
  async #open(props: Props, saved: Props): Promise<Resource & { readonly defaultTags: Readonly<Record<string, string>> }> {
    const kind = await this.#kind;
    for (const one of [saved, props]) {
      const { __urn: urn, __veiled: given } = privateStateOf(one);
      this.#process.redactor.note(kind, urn, one, given);
    }
    const { connection, session } = this.#process.configured;
    const here = await connection;
    refuseOtherHome(kind.type, here, privateStateOf(saved).__home);
    const { __urn: urn } = privateStateOf(props);
    const messages = this.#process.messagesAbout(urn);
    return { ...here, ...messages, kind: separatingOwnershipTags(kind), urn, session, props };
  }

  /** Records whether a resource failed validation. */
  #validating<T>(news: Props, work: () => Promise<T>, reasonsIn: (result: T) => readonly string[] = () => []): Promise<T> {
    const { __urn: urn } = privateStateOf(news);
    const { session } = this.#process.configured;
    const failed = `${typeOf(urn)} "${nameOf(urn)}" failed validation`;
    return this.#process.plainly(news, async () => {
      try {
        const result = await work();
        // The remedies are shown with the resource itself.
        const reasons = reasonsIn(result).map((reason) => (parse(reason)?.message ?? reason).split("\n", 1)[0]);
        session.noteCheck(urn, reasons.length === 0 ? undefined : `${failed}: ${reasons.join("; ")}`);
        return result;
      } catch (error) {
        session.noteCheck(urn, failed);
        throw error;
      }
    });
  }

  #working<T>(props: Props, saved: Props, work: (resource: Resource) => Promise<T>): Promise<T> {
    return this.#process.plainly(props, async () => {
      const resource = await this.#open(props, saved);
      try {
        return await this.#process.engine.during(() => work(resource));
      } catch (error) {
        if (error instanceof Unfinished) error.properties = this.#stored(resource.kind, error.properties);
        throw error;
      } finally {
        // Otherwise the last message about a wait would stay in the resource's line.
        resource.show("");
      }
    });
  }

  #found(kind: Kind, found: Found | undefined): Found | undefined {
    if (!found) return undefined;
    const inputs = withSecretsMarked(kind, found.inputs, sharedSecrets(kind, found.props, this.#process.redactor));
    return { inputs, props: this.#stored(kind, found.props) };
  }

  #stored(kind: Kind, props: Props): Props {
    const { own, ofContainer } = hiddenOutputs(kind, this.#process.configured.session.graph, props);
    const { __said: said, __veiled: given } = privateStateOf(props);
    const remembered = { __hides: ofContainer.length === 0 ? undefined : ofContainer };
    return withSecretsMarked(kind, { ...props, ...remembered }, [
      ...own,
      ...ofContainer,
      ...(given.some((key) => key in said) ? ["__said"] : []),
      ...sharedSecrets(kind, props, this.#process.redactor),
    ]);
  }
}
