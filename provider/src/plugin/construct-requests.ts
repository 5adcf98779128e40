import type { Cloud } from "@container-platform/sdk";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { type Constructed, Progress } from "./progress.ts";
import { struct } from "./properties.ts";
import { UnhandledRejections } from "./unhandled-rejections.ts";

/** What a component is made with besides what the engine asks for. */
export interface Surroundings {
  /** The engine's address. */
  readonly engine: string;
  /** This provider, as the engine refers to it: its URN, and its id. */
  readonly provider: string;
  readonly connect: () => Promise<Cloud>;
  readonly progress: Progress;
}

/** Makes a component. */
export type Construct = (request: messages.ConstructRequest, around: Surroundings) => Promise<Constructed>;

/** Loads what makes components, with Pulumi's SDK in it. */
export type Components = () => Promise<Construct>;

/** What the engine asks for of components, by its own protocol. */
export class ConstructRequests {
  readonly #components: Components;
  readonly #process: ProviderProcess;
  readonly #engine: string;
  #provider = "";
  #rejections: UnhandledRejections | undefined;

  constructor(components: Components, process: ProviderProcess, engine: string) {
    this.#components = components;
    this.#process = process;
    this.#engine = engine;
  }

  /** @param provider this provider, as the engine refers to it */
  configure(provider: string): void {
    this.#provider = provider;
  }

  async construct(request: messages.ConstructRequest): Promise<messages.ConstructResponse> {
    const { urn, state, dependencies } = await this.#process.plainly({}, () => this.#unlessStopped(request));
    const response = new messages.ConstructResponse().setUrn(urn).setState(struct(state));
    const byOutput = response.getStatedependenciesMap();
    for (const [output, urns] of dependencies)
      byOutput.set(output, new messages.ConstructResponse.PropertyDependencies().setUrnsList([...urns]));
    return response;
  }

  /**
   * What a component waits for never comes from an engine that ends. The engine calls each error a problem of the component, so that only one
   * of which something is missing fails. Of one that is previewed nothing is.
   */
  #unlessStopped(request: messages.ConstructRequest): Promise<Constructed> {
    const rejections = (this.#rejections ??= new UnhandledRejections());
    const { stopped } = this.#process.engine;
    const progress = new Progress();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        const ended = request.getDryrun() ? nothing : progress.made;
        if (ended) resolve(ended);
        else reject(new ProviderError("Interrupted", progress.unfinished));
      };
      if (stopped.aborted) stop();
      stopped.addEventListener("abort", stop, { once: true });
      const made = rejections.during(() => this.#made(request, progress));
      void made.then(resolve, reject).finally(() => {
        stopped.removeEventListener("abort", stop);
      });
    });
  }

  async #made(request: messages.ConstructRequest, progress: Progress): Promise<Constructed> {
    const construct = await this.#components();
    const connect = () => this.#process.configured.connection.then(({ cloud }) => cloud);
    return construct(request, { engine: this.#engine, provider: this.#provider, connect, progress });
  }
}

const nothing: Constructed = { urn: "", state: {}, dependencies: new Map() };
