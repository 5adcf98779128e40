import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import { withoutAutonaming } from "../runtime/configuration.ts";
import { kindOfToken, packageName, tokenOf } from "../runtime/tokens.ts";
import { own, unknown } from "../schema/values.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { type Components, construct, catchingRejections } from "./construct-requests.ts";
import { type Functions, invoke } from "./function-requests.ts";
import { type Find, list } from "./list-requests.ts";
import type { KnownUrns } from "./known-urns.ts";
import { propsOf, received, struct, withSecretsOf } from "./properties.ts";
import { type LoadKind, resourceRequests } from "./resource-requests.ts";
import { refusedSettings, settingsReader, settingsToReturn } from "./settings.ts";

/** What the plugin serves. */
export interface Definitions {
  /** Loads the definition of each kind of resource, by name. */
  readonly kinds: Readonly<Record<string, LoadKind>>;
  readonly functions: Functions;
  readonly components: Components;
  readonly find: Find;
}

export type NativeProvider = ReturnType<typeof nativeProvider>;

/**
 * The provider that Pulumi's engine talks to itself: one request after another, whatever the kind of resource.
 *
 * @param engine its address, for components
 * @param urns told of each URN, before anything is said of its resource
 */
export function nativeProvider(definitions: Definitions, process: ProviderProcess, engine: string, urns: KnownUrns) {
  const { kinds, functions, components, find } = definitions;
  const byToken = new Map<string, ReturnType<typeof resourceRequests>>();
  let catching: ReturnType<typeof catchingRejections> | undefined;
  /** This provider, as the engine refers to it. */
  let provider = "";
  let hasWarned = false;

  /** Loads the definition of the kind that a type names. */
  const loaderOf = (token: string) => {
    const load = own(kinds, kindOfToken(token) ?? "");
    if (load) return load;
    throw new ProviderError(
      "WrongVersion",
      `this version of the plugin has no ${token}; it has ${Object.keys(kinds).join(", ")}: install the version that made the stack`,
    );
  };

  /** The requests of the kind that a URN names. */
  const about = (request: { readonly getUrn: () => string }) => {
    const urn = request.getUrn();
    urns.note(urn);
    const token = tokenOf(urn);
    const requests = byToken.get(token) ?? resourceRequests(loaderOf(token), process);
    byToken.set(token, requests);
    return requests;
  };

  return {
    handshake: (request: messages.ProviderHandshakeRequest) => {
      refuseOldEngine(request.getConfigureWithUrn());
      return new messages.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(true)
        .setAcceptOutputs(true)
        .setAcceptsOutputsInCheck(true)
        .setSupportsAutonamingConfiguration(true);
    },
    checkConfig,
    diffConfig,
    configure: (request: messages.ConfigureRequest) => {
      refuseOldEngine(request.hasName());
      provider = `${request.getUrn()}::${request.getId()}`;
      // In a preview of a new stack, the provider has no ID.
      const id = request.getId() === unknown ? undefined : request.getId() || undefined;
      process.configure(settingsReader(request.getName() ?? "", propsOf(request.getArgs())), id);
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    },
    check: (request: messages.CheckRequest) => {
      if (request.hasAutonaming() && !hasWarned) process.engine.warn("", withoutAutonaming);
      hasWarned ||= request.hasAutonaming();
      return about(request).check(request);
    },
    diff: (request: messages.DiffRequest) => about(request).diff(request),
    create: (request: messages.CreateRequest) => about(request).create(request),
    read: (request: messages.ReadRequest) => about(request).read(request),
    update: (request: messages.UpdateRequest) => about(request).update(request),
    delete: (request: messages.DeleteRequest) => about(request).delete(request),
    invoke: (request: messages.InvokeRequest) => invoke(functions, process, request),
    list: async (request: messages.ListRequest) => {
      const { kind } = await loaderOf(request.getToken())();
      return list(kind, find, process, request);
    },
    construct: (request: messages.ConstructRequest) => {
      catching ??= catchingRejections();
      return construct(request, { components, process, catching, engine, provider });
    },
  };
}

async function checkConfig(request: messages.CheckRequest): Promise<messages.CheckResponse> {
  const { props, marked } = received(request.getNews());
  const failures = (await refusedSettings(request.getName(), props)).map((reason) => new messages.CheckFailure().setReason(reason));
  return new messages.CheckResponse().setInputs(struct(withSecretsOf(marked, settingsToReturn(props)))).setFailuresList(failures);
}

/**
 * Another endpoint, region or account replaces no resource: each refuses to be looked for where it is not. So a provider is changed in
 * place, whatever changes.
 */
function diffConfig(request: messages.DiffRequest): messages.DiffResponse {
  const [before, after] = [propsOf(request.getOldInputs()), propsOf(request.getNews())];
  const changed = Object.keys({ ...before, ...after }).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  return new messages.DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
}

/** @throws Error if the engine does not tell what it has told since 2025 */
function refuseOldEngine(isNewEnough: boolean): void {
  if (!isNewEnough)
    throw new ProviderError(
      "WrongVersion",
      `the plugin ${packageName} needs Pulumi 3.229 or newer, and this engine is older: install a newer one (https://www.pulumi.com/docs/install/)`,
    );
}
