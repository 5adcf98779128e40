import type { Kind } from "../../provider/src/definition/definition.ts";
import { dynamicProvider } from "../../provider/src/dynamic/dynamic-provider.ts";
import { isKind, kinds } from "../../provider/src/resources/kinds.ts";
import type { ProviderProcess } from "../../provider/src/dynamic/provider-process.ts";
import type { Asked } from "./host-requests.ts";
import { type Props, propsOf, struct } from "./structs.ts";

/** Asks what Pulumi's dynamic host asks, without the host. Properties travel as they do between the engine and a provider. */
export class DynamicRequests implements Asked {
  readonly #process: ProviderProcess;
  readonly #providers = new Map<string, ReturnType<typeof dynamicProvider>>();

  constructor(process: ProviderProcess) {
    this.#process = process;
  }

  async check(olds: Props, news: Props): ReturnType<Asked["check"]> {
    const { inputs, failures = [] } = await this.#of(news).check(sent(olds), sent(news));
    return {
      inputs: sent({ ...inputs, __provider: news["__provider"] }),
      failures: failures.map(({ property, reason }) => ({ property, reason })),
    };
  }

  async diff(id: string, olds: Props, news: Props): ReturnType<Asked["diff"]> {
    const { changes, replaces = [], deleteBeforeReplace = false } = await this.#of(news).diff(id, sent(olds), sent(news));
    return { changes: changes === undefined ? "unknown" : changes ? "some" : "none", replaces, deleteBeforeReplace };
  }

  async create(properties: Props): ReturnType<Asked["create"]> {
    const { id, outs } = await this.#of(properties).create(sent(properties));
    return { id, outputs: sent({ ...outs, __provider: properties["__provider"] }) };
  }

  async read(id: string, properties: Props): ReturnType<Asked["read"]> {
    const { id: found = "", inputs = {}, props } = await this.#of(properties).read(id, sent(properties));
    const own = { __provider: properties["__provider"] };
    return { id: found, inputs: sent({ ...inputs, ...own }), outputs: sent({ ...props, ...own }) };
  }

  async update(id: string, olds: Props, news: Props): ReturnType<Asked["update"]> {
    const { outs } = await this.#of(news).update(id, sent(olds), sent(news));
    return { outputs: sent({ ...outs, __provider: news["__provider"] }) };
  }

  async delete(id: string, properties: Props): Promise<void> {
    await this.#of(properties).delete(id, sent(properties));
  }

  /** The operations of the kind that the text in the properties names. */
  #of({ __provider: text }: Props) {
    const type = /get\("(\w+)"\)$/.exec(String(text))?.[1] ?? "";
    if (!isKind(type)) throw new Error(`no kind is named by ${String(text)}`);
    const provider = this.#providers.get(type) ?? dynamicProvider(loaded(kinds[type]), this.#process);
    this.#providers.set(type, provider);
    return provider;
  }
}

async function loaded(load: () => Promise<{ readonly kind: Kind }>): Promise<Kind> {
  return (await load()).kind;
}

function sent(props: Props): Props {
  return propsOf(struct(props));
}
