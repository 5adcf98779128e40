import { AsyncLocalStorage } from "node:async_hooks";
import { type Cloud, listed } from "@container-platform/sdk";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import type { Props } from "../schema/values.ts";
import { struct } from "./properties.ts";

/** A component that has been made. */
export interface Constructed {
  readonly urn: string;
  /** Its outputs, as they travel. */
  readonly state: Props;
  /** By output: the URNs of the resources that it depends on. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
}

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

/** What makes components, and this provider as the engine refers to it. */
interface Constructing extends Pick<Surroundings, "engine" | "provider"> {
  readonly components: Components;
  readonly process: ProviderProcess;
  readonly rejections: UnhandledRejections;
}

/** Makes a component. */
export async function construct(request: messages.ConstructRequest, by: Constructing): Promise<messages.ConstructResponse> {
  const { urn, state, dependencies } = await by.process.plainly({}, () => unlessStopped(request, by));
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
function unlessStopped(
  request: messages.ConstructRequest,
  { components, process, rejections, engine, provider }: Constructing,
): Promise<Constructed> {
  const { stopped } = process.engine;
  const progress = new Progress();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      const ended = request.getDryrun() ? nothing : progress.made;
      if (ended) resolve(ended);
      else reject(new ProviderError("Interrupted", progress.unfinished));
    };
    if (stopped.aborted) stop();
    stopped.addEventListener("abort", stop, { once: true });
    const around = { engine, provider, connect: () => process.cloud(), progress };
    const made = rejections.during(async () => (await components())(request, around));
    void made.then(resolve, reject).finally(() => {
      stopped.removeEventListener("abort", stop);
    });
  });
}

const nothing: Constructed = { urn: "", state: {}, dependencies: new Map() };

/** How far a component has come. */
export class Progress {
  readonly #toDo = new Set<string>();
  #made: Constructed | undefined;

  /** A child that the component asks the engine for. @param settled rejects if it is not to be had */
  begin(child: string, settled: Promise<unknown>): void {
    this.#toDo.add(child);
    settled.then(
      () => this.#toDo.delete(child),
      // The engine tells why.
      () => undefined,
    );
  }

  /** Its outputs are known. The engine may still be busy with children that are not among them. */
  tells(made: Constructed): void {
    this.#made = made;
  }

  /** The component, if all of it is there. */
  get made(): Constructed | undefined {
    return this.#toDo.size === 0 ? this.#made : undefined;
  }

  /** Says that it is not made, and what of it is not. */
  get unfinished(): string {
    const toDo = this.#toDo.size === 0 ? "" : `; still to do: ${listed([...this.#toDo])}`;
    return `the update ended before all of it was made${toDo}`;
  }
}

/**
 * Work of which a part may fail that nobody waits for, as with the promises of Pulumi's SDK: such an error ends the work. Otherwise it would
 * end the whole process, and what others are doing in it.
 */
export class UnhandledRejections {
  readonly #fail = new AsyncLocalStorage<(error: unknown) => void>();

  constructor() {
    process.on("unhandledRejection", (error) => {
      const fail = this.#fail.getStore();
      if (!fail) throw error;
      fail(error);
    });
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#fail.run(reject, work).then(resolve, reject);
    });
  }
}
