import type { dynamic } from "@pulumi/pulumi";
import type { Kind } from "../definition/definition.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { namespace } from "../runtime/configuration.ts";
import type { Props } from "../schema/values.ts";
import { Operations } from "./operations.ts";
import type { ProviderProcess } from "./provider-process.ts";

/** The operations of one kind of resource, as Pulumi's dynamic host calls them. */
export class DynamicProvider implements dynamic.ResourceProvider<Props, Props> {
  readonly #operations: Operations;
  readonly #process: ProviderProcess;

  constructor(kind: Promise<Kind>, process: ProviderProcess) {
    this.#operations = new Operations(kind, process);
    this.#process = process;
  }

  configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#process.configure((key) => request.config.get(`${namespace}:${key}`));
    return Promise.resolve();
  }

  async check(olds: Props, news: Props): Promise<dynamic.CheckResult<Props>> {
    const { inputs, refusals } = await this.#operations.check(olds, news);
    // The engine prints the value of a property that is named here, even if it is secret. So none is named.
    return { inputs, failures: refusals.map((reason) => ({ property: "", reason })) };
  }

  async diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult> {
    const { note: _said, replaces, ...rest } = await this.#operations.diff(id, olds, news);
    return { ...rest, ...(replaces ? { replaces: [...replaces] } : {}) };
  }

  create(news: Props): Promise<dynamic.CreateResult<Props>> {
    return keepingProvider(news, () => this.#operations.create(news));
  }

  async read(id: string, props: Props = {}): Promise<dynamic.ReadResult<Props>> {
    const found = await this.#operations.read(id, props);
    return found ? { id, ...found } : { id: "" };
  }

  update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult<Props>> {
    return keepingProvider(news, () => this.#operations.update(id, olds, news));
  }

  delete(id: string, props: Props): Promise<void> {
    return this.#operations.delete(id, props);
  }
}

/** The host adds `__provider` to the properties that are returned, but not to those that are thrown. A state without it cannot be used. */
async function keepingProvider<T>({ __provider }: Props, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unfinished) error.properties = { ...error.properties, __provider };
    throw error;
  }
}
