import type { dynamic } from "@pulumi/pulumi";
import type { Kind } from "../definition/definition.ts";
import { Unfinished } from "../lifecycle/errors.ts";
import { namespace } from "../runtime/configuration.ts";
import type { Props } from "../schema/values.ts";
import { Operations } from "./operations.ts";
import type { ProviderProcess } from "./provider-process.ts";

/** The operations of one kind of resource, as Pulumi's dynamic host calls them. */
export function dynamicProvider(kind: Promise<Kind>, process: ProviderProcess): Required<dynamic.ResourceProvider<Props, Props>> {
  const operations = new Operations(kind, process);
  return {
    configure: (request) => {
      process.configure((key) => request.config.get(`${namespace}:${key}`));
      return Promise.resolve();
    },
    check: async (olds, news) => {
      const { inputs, refusals } = await operations.check(olds, news);
      // The engine prints the value of a property that is named here, even if it is secret. So none is named.
      return { inputs, failures: refusals.map((reason) => ({ property: "", reason })) };
    },
    diff: async (id, olds, news) => {
      const { note: _said, replaces, ...rest } = await operations.diff(id, olds, news);
      return { ...rest, ...(replaces ? { replaces: [...replaces] } : {}) };
    },
    create: (news) => keepingProvider(news, () => operations.create(news)),
    read: async (id, props = {}) => {
      const found = await operations.read(id, props);
      return found ? { id, ...found } : { id: "" };
    },
    update: (id, olds, news) => keepingProvider(news, () => operations.update(id, olds, news)),
    delete: (id, props) => operations.delete(id, props),
  };
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
