import { AsyncLocalStorage } from "node:async_hooks";
import { type Cloud, listed } from "@container-platform/sdk";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import type { Props } from "../schema/values.ts";
import { struct } from "./properties.ts";

/** A component that was created. */
export interface Constructed {
  readonly urn: string;
  /** Its outputs, as they travel. */
  readonly state: Props;
  /** By output: the URNs of the resources that it depends on. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
}

/** What the construction of a component needs besides its request. */
export interface Surroundings {
  /** The engine's address. */
  readonly engine: string;
  /** This provider, as the engine refers to it: its URN, and its id. */
  readonly provider: string;
  readonly connect: () => Promise<Cloud>;
  readonly progress: Progress;
}

/** Creates a component. */
export type Construct = (request: messages.ConstructRequest, around: Surroundings) => Promise<Constructed>;

/** Loads the module that creates components. It contains Pulumi's SDK. */
export type Components = () => Promise<Construct>;

/** What `construct` needs of the provider. */
interface Constructing extends Pick<Surroundings, "engine" | "provider"> {
  readonly components: Components;
  readonly process: ProviderProcess;
  readonly catching: ReturnType<typeof catchingRejections>;
}

/** Creates a component for the engine. */
export async function construct(request: messages.ConstructRequest, by: Constructing): Promise<messages.ConstructResponse> {
  const { urn, state, dependencies } = await by.process.plainly({}, () => unlessStopped(request, by));
  const response = new messages.ConstructResponse().setUrn(urn).setState(struct(state));
  const byOutput = response.getStatedependenciesMap();
  for (const [output, urns] of dependencies)
    byOutput.set(output, new messages.ConstructResponse.PropertyDependencies().setUrnsList([...urns]));
  return response;
}

/**
 * Creates a component, unless the engine stops: an engine that stops does not answer the requests for the children. The component then fails
 * if children are missing. In a preview it succeeds, because the engine would report an error as a problem of the component.
 */
function unlessStopped(request: messages.ConstructRequest, { components, process, catching, engine, provider }: Constructing) {
  const { stopped } = process.engine;
  const progress = new Progress();
  return new Promise<Constructed>((resolve, reject) => {
    const stop = (): void => {
      const ended = request.getDryrun() ? { urn: "", state: {}, dependencies: new Map<string, string[]>() } : progress.made;
      if (ended) resolve(ended);
      else reject(new ProviderError("Interrupted", progress.unfinished));
    };
    if (stopped.aborted) stop();
    stopped.addEventListener("abort", stop, { once: true });
    const around = { engine, provider, connect: () => process.cloud(), progress };
    const made = catching(async () => (await components())(request, around));
    void made.then(resolve, reject).finally(() => stopped.removeEventListener("abort", stop));
  });
}

/** The progress of a component. */
export class Progress {
  readonly #toDo = new Set<string>();
  /** The component, once its outputs are known. The engine may still be creating children that no output needs. */
  component: Constructed | undefined;

  /** Records a child that the component requests from the engine. `settled` rejects if the engine cannot create the child. */
  begin(child: string, settled: Promise<unknown>): void {
    this.#toDo.add(child);
    settled.then(
      () => this.#toDo.delete(child),
      // The engine reports the reason.
      () => undefined,
    );
  }

  /** The component; `undefined` while a child or an output is missing. */
  get made(): Constructed | undefined {
    return this.#toDo.size === 0 ? this.component : undefined;
  }

  /** The message about a component that is not complete. */
  get unfinished(): string {
    const toDo = this.#toDo.size === 0 ? "" : `; missing: ${listed([...this.#toDo])}`;
    return `the update ended before the component was complete${toDo}`;
  }
}

/**
 * Catches rejections of promises that no code awaits, such as those in Pulumi's SDK. Each fails the construction that caused it. Without this,
 * Node would end the process, with all requests in progress.
 */
export function catchingRejections() {
  const failing = new AsyncLocalStorage<(error: unknown) => void>();
  process.on("unhandledRejection", (error) => {
    const fail = failing.getStore();
    if (!fail) throw error;
    fail(error);
  });
  return <T>(work: () => Promise<T>): Promise<T> => new Promise((resolve, reject) => void failing.run(reject, work).then(resolve, reject));
}
