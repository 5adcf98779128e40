import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { withoutAutonaming } from "../runtime/configuration.ts";
import { kindOfToken, nativeToken, packageName } from "../runtime/tokens.ts";
import { Operations } from "../dynamic/operations.ts";
import { own, unknown } from "../schema/values.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { type Components, construct, UnhandledRejections } from "./construct-requests.ts";
import { type Functions, invoke } from "./function-requests.ts";
import { type Find, list } from "./list-requests.ts";
import type { KnownUrns } from "./known-urns.ts";
import { propsOf, received, struct, withSecretsOf } from "./properties.ts";
import { ResourceRequests } from "./resource-requests.ts";
import { refusedSettings, settingsReader, settingsToReturn } from "./settings.ts";

/** Loads the definition of each kind of resource, by name. */
type Kinds = Readonly<Record<string, () => Promise<{ readonly kind: Kind }>>>;

/** What the plugin serves. */
export interface Definitions {
  readonly kinds: Kinds;
  readonly functions: Functions;
  readonly components: Components;
  readonly find: Find;
}

/** The provider that Pulumi's engine talks to itself: one request after another, whatever the kind of resource. */
export class NativeProvider {
  readonly #definitions: Definitions;
  readonly #process: ProviderProcess;
  readonly #engine: string;
  readonly #urns: KnownUrns;
  readonly #requests = new Map<string, ResourceRequests>();
  #rejections: UnhandledRejections | undefined;
  /** This provider, as the engine refers to it. */
  #self = "";
  #hasWarned = false;

  /**
   * @param engine its address, for components
   * @param urns told of each URN, before anything is said of its resource
   */
  constructor(definitions: Definitions, process: ProviderProcess, engine: string, urns: KnownUrns) {
    this.#definitions = definitions;
    this.#process = process;
    this.#engine = engine;
    this.#urns = urns;
  }

  handshake(request: messages.ProviderHandshakeRequest): messages.ProviderHandshakeResponse {
    refuseOldEngine(request.getConfigureWithUrn());
    return new messages.ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(true)
      .setAcceptOutputs(true)
      .setAcceptsOutputsInCheck(true)
      .setSupportsAutonamingConfiguration(true);
  }

  async checkConfig(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { props, marked } = received(request.getNews());
    const failures = (await refusedSettings(request.getName(), props)).map((reason) => new messages.CheckFailure().setReason(reason));
    return new messages.CheckResponse().setInputs(struct(withSecretsOf(marked, settingsToReturn(props)))).setFailuresList(failures);
  }

  /**
   * Another endpoint, region or account replaces no resource: each refuses to be looked for where it is not. So a provider is changed in
   * place, whatever changes.
   */
  diffConfig(request: messages.DiffRequest): messages.DiffResponse {
    const [before, after] = [propsOf(request.getOldInputs()), propsOf(request.getNews())];
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    return new messages.DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
  }

  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    refuseOldEngine(request.hasName());
    this.#self = `${request.getUrn()}::${request.getId()}`;
    this.#process.configure(settingsReader(request.getName() ?? "", propsOf(request.getArgs())), idIn(request));
    return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  check = (request: messages.CheckRequest): Promise<messages.CheckResponse> => {
    if (request.hasAutonaming() && !this.#hasWarned) this.#process.engine.warn("", withoutAutonaming);
    this.#hasWarned ||= request.hasAutonaming();
    return this.#about(request).check(request);
  };

  diff = (request: messages.DiffRequest): Promise<messages.DiffResponse> => this.#about(request).diff(request);

  create = (request: messages.CreateRequest): Promise<messages.CreateResponse> => this.#about(request).create(request);

  read = (request: messages.ReadRequest): Promise<messages.ReadResponse> => this.#about(request).read(request);

  update = (request: messages.UpdateRequest): Promise<messages.UpdateResponse> => this.#about(request).update(request);

  delete = (request: messages.DeleteRequest): Promise<void> => this.#about(request).delete(request);

  invoke = (request: messages.InvokeRequest): Promise<messages.InvokeResponse> =>
    invoke(this.#definitions.functions, this.#process, request);

  list = async (request: messages.ListRequest): Promise<messages.ListResponse[]> => {
    const { kind } = await this.#loaderOf(request.getToken())();
    return list(kind, this.#definitions.find, this.#process, request);
  };

  construct = (request: messages.ConstructRequest): Promise<messages.ConstructResponse> => {
    const rejections = (this.#rejections ??= new UnhandledRejections());
    const { components } = this.#definitions;
    return construct(request, { components, process: this.#process, rejections, engine: this.#engine, provider: this.#self });
  };

  /** The requests of the kind that a URN names. */
  #about(request: { readonly getUrn: () => string }): ResourceRequests {
    const urn = request.getUrn();
    this.#urns.note(urn);
    const type = typeIn(urn);
    const load = this.#loaderOf(type);
    const known = this.#requests.get(type);
    if (known) return known;
    const kind = load().then((loaded) => loaded.kind);
    const made = new ResourceRequests(kind, new Operations(kind, this.#process));
    this.#requests.set(type, made);
    return made;
  }

  /** Loads the definition of a kind, by its name or its token. */
  #loaderOf(name: string): Kinds[string] {
    const { kinds } = this.#definitions;
    const type = kindOfToken(name) ?? name;
    const load = own(kinds, type);
    if (load) return load;
    throw new ProviderError(
      "WrongVersion",
      `this version of the plugin has no ${nativeToken(type)}; it has ${Object.keys(kinds).join(", ")}: install the version that made the stack`,
    );
  }
}

/** The kind in the URN of a resource. */
function typeIn(urn: string): string {
  const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return kindOfToken(token) ?? token;
}

/** @throws Error if the engine does not tell what it has told since 2025 */
function refuseOldEngine(isNewEnough: boolean): void {
  if (!isNewEnough)
    throw new ProviderError(
      "WrongVersion",
      `the plugin ${packageName} needs Pulumi 3.229 or newer, and this engine is older: install a newer one (https://www.pulumi.com/docs/install/)`,
    );
}

/** The provider's ID in the state; `undefined` in a preview of a new stack. */
function idIn(request: messages.ConfigureRequest): string | undefined {
  const id = request.getId();
  return id === undefined || id === "" || id === unknown ? undefined : id;
}
