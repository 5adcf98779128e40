import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { Kind } from "../definition/definition.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import type { Plan } from "../lifecycle/plan.ts";
import { inputsLeftToPlatform } from "../lifecycle/resource.ts";
import { isPrivate } from "../schema/private-state.ts";
import { stubOf } from "../dynamic/stub.ts";
import { identityOf } from "../runtime/tokens.ts";
import { withSecretsMarked } from "../schema/secrets.ts";
import { pick, type Props, unknown } from "../schema/values.ts";
import { leavingOut } from "../schema/compare.ts";
import { Operations } from "../dynamic/operations.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { type Difference, differencesIn } from "./differences.ts";
import { propsOf, type Received, received, struct, withSecretsOf } from "./properties.ts";

export type LoadKind = () => Promise<{ readonly kind: Kind }>;

/** What the engine asks for of one kind of resource, by its own protocol. */
export function resourceRequests(load: LoadKind, process: ProviderProcess) {
  const loading = load().then(({ kind }) => kind);
  const operations = new Operations(loading, process);
  return {
    check: async (request: messages.CheckRequest) => {
      const urn = identityOf(request.getUrn());
      const { props, secrets, sources, marked } = received(request.getNews());
      const __of = Object.fromEntries(Object.entries(sources).map(([path, source]) => [path, identityOf(source)]));
      // A component tells what the program calls the inputs of its child, and which resource that takes the place of.
      const inputsOfProgram = { ...visible(props), ...pick(props, ["__from", "__adopts"]) };
      // Nobody tells what a resource waits for: it may be anything.
      const news = { ...managed(urn, { props: inputsOfProgram, secrets }), __of, __after: [""] };
      const { inputs, refusals } = await operations.check(propsOf(request.getOlds()), news);
      // The engine prints the value of a property that is named here, even if it is secret. So none is named.
      const failures = refusals.map((reason) => new messages.CheckFailure().setReason(reason));
      return new messages.CheckResponse().setInputs(struct(withSecretsOf(marked, inputs))).setFailuresList(failures);
    },
    diff: async (request: messages.DiffRequest) => {
      const urn = identityOf(request.getUrn());
      const news = received(request.getNews());
      const { props: before, secrets } = received(request.getOldInputs());
      const plan = await operations.diff(request.getId(), olds(urn, request.getOlds()), managed(urn, news));
      const kind = await loading;
      return answerTo(kind, plan, differencesIn(kind, before, news.props, [...news.secrets, ...secrets]));
    },
    create: async (request: messages.CreateRequest) => {
      const given = received(request.getProperties());
      const urn = identityOf(request.getUrn());
      const kind = await loading;
      const answer = new messages.CreateResponse();
      if (request.getPreview()) return answer.setProperties(struct(withSecretsOf(given.marked, previewed(kind, given.props))));
      const news = { ...managed(urn, given), ...timeouts("create", request.getTimeout()) };
      const { id, outs } = await saved(kind, given.marked, () => operations.create(news));
      return answer.setId(id).setProperties(struct(outs));
    },
    read: async (request: messages.ReadRequest) => {
      const urn = identityOf(request.getUrn());
      const state = received(request.getProperties());
      const answer = new messages.ReadResponse();
      const isNew = Object.keys(state.props).length === 0;
      const found = isNew
        ? await operations.adopt(request.getId(), { __urn: urn, __get: true })
        : await operations.read(request.getId(), { __urn: urn, ...state.props });
      if (!found) return answer;
      const kind = await loading;
      const { props: before, marked: inputs } = received(request.getInputs());
      // After an import, what a program would leave out is left out until the program is checked.
      // The engine tells time-outs anew with each request; the rest is of other shells.
      const { __timeouts, __get, __provider, ...shown } = leavingOut(kind, before, found.inputs);
      return answer
        .setId(request.getId())
        .setInputs(struct(withSecretsOf({ ...state.marked, ...inputs }, shown)))
        .setProperties(struct(savedOutputs(kind, state.marked, found.props)));
    },
    update: async (request: messages.UpdateRequest) => {
      const urn = identityOf(request.getUrn());
      const given = received(request.getNews());
      const before = olds(urn, request.getOlds());
      const kind = await loading;
      const answer = new messages.UpdateResponse();
      if (request.getPreview()) {
        const known = pick({ ...before, ...kind.id.parts(request.getId()) }, kind.id.names);
        return answer.setProperties(struct(withSecretsOf(given.marked, { ...previewed(kind, given.props), ...known })));
      }
      const news = { ...managed(urn, given), ...timeouts("update", request.getTimeout()) };
      const { outs } = await saved(kind, given.marked, () => operations.update(request.getId(), before, news));
      return answer.setProperties(struct(outs));
    },
    delete: async (request: messages.DeleteRequest) => {
      const props = olds(identityOf(request.getUrn()), request.getProperties());
      await operations.delete(request.getId(), { ...props, ...timeouts("delete", request.getTimeout()) });
    },
  };
}

/** Inputs, with what the plugin knows of their resource besides. */
function managed(urn: string, { props, secrets }: Pick<Received, "props" | "secrets">): Props {
  const given = secrets.filter((key) => !isPrivate(key));
  return { ...props, __urn: urn, __veiled: given.length === 0 ? undefined : given };
}

/** What the state has of a resource. */
function olds(urn: string, state: Parameters<typeof propsOf>[0]): Props {
  return { __urn: urn, ...propsOf(state) };
}

function timeouts(verb: "create" | "update" | "delete", seconds: number): Props {
  return seconds > 0 ? { __timeouts: { [verb]: `${seconds}s` } } : {};
}

function visible(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !isPrivate(key)));
}

/** What the state keeps besides: also the text by which the dynamic host would manage the resource, so that the stack can go back to it. */
function savedOutputs({ type }: Kind, given: Props, { __get, ...outputs }: Props): Props {
  return { ...withSecretsOf(given, outputs), __provider: stubOf(type) };
}

/** What a preview knows of a resource that is made or changed: its inputs. What the platform chooses is not known. */
function previewed(kind: Kind, news: Props): Props {
  const unset = [...Object.keys(kind.outputs.shape), ...inputsLeftToPlatform(kind, news)];
  return withSecretsMarked(kind, { ...Object.fromEntries(unset.map((key) => [key, unknown])), ...visible(news) });
}

/** Writes a resource. It goes into the state as it is, also if it exists and is not as desired. */
async function saved<T extends { readonly outs: Props }>(kind: Kind, given: Props, write: () => Promise<T>): Promise<T> {
  // A refresh leaves the time-outs of the dynamic shell where they are: it shows no change.
  const outsOf = ({ __timeouts, ...outputs }: Props) => savedOutputs(kind, given, outputs);
  try {
    const written = await write();
    return { ...written, outs: outsOf(written.outs) };
  } catch (error) {
    if (error instanceof Unfinished) error.properties = outsOf(error.properties);
    throw error;
  }
}

const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
const kinds = messages.PropertyDiff.Kind;
const inPlace = { add: kinds.ADD, delete: kinds.DELETE, update: kinds.UPDATE } as const;
const replacing = { add: kinds.ADD_REPLACE, delete: kinds.DELETE_REPLACE, update: kinds.UPDATE_REPLACE } as const;

/** A plan in the engine's words. Where a plan leaves open whether there are changes, the inputs tell. */
function answerTo(kind: Kind, { changes, replaces = [], deleteBeforeReplace = false }: Plan, differences: ReadonlyMap<string, Difference>) {
  const answer = new messages.DiffResponse();
  if (!(changes ?? differences.size > 0)) return answer.setChanges(DIFF_NONE);
  const detailed = answer.getDetaileddiffMap();
  for (const [path, difference] of differences) {
    const [name = path] = /^[^.[]+/.exec(path) ?? [];
    detailed.set(path, new messages.PropertyDiff().setKind((replaces.includes(name) ? replacing : inPlace)[difference]).setInputdiff(true));
  }
  // What ends by itself, such as a token, is replaced although no input differs.
  for (const name of replaces)
    if (name in kind.outputs.shape) detailed.set(name, new messages.PropertyDiff().setKind(kinds.UPDATE_REPLACE));
  return answer
    .setChanges(DIFF_SOME)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setDiffsList([...detailed.keys()])
    .setHasdetaileddiff(detailed.getLength() > 0);
}
