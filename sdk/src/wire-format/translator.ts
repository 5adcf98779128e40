import { type JsonObject, textsIn } from "../operation/codec.ts";
import { InputError } from "../operation/errors.ts";
import type { Operation, Product } from "../operation/operation.ts";
import { type Difference, type Differences, withoutUnset } from "./rule.ts";
import { escaped, namesThere, translated, type Translation, translationOf, type Way } from "./translate.ts";

/** A call whose parts are translated. */
interface Named {
  readonly product: Product;
  readonly action: string;
  readonly version: string;
  readonly region: string;
}

/** By action and version. */
type Differing = ReadonlyMap<string, ReadonlyMap<string, Difference>>;

interface Translations {
  readonly request: Translation | undefined;
  readonly answer: Translation | undefined;
  readonly unusable: string | undefined;
}

/** Translates calls, answers and codes between the catalogue and a wireFormat. What has no difference stays the same object. */
export class Translator {
  readonly #differences: Differences;
  readonly #codesHere: ReadonlyMap<string, string>;
  /** By product, once loaded. */
  readonly #differing = new Map<string, Differing>();
  readonly #translations = new Map<Difference, Translations>();

  constructor(differences: Differences) {
    this.#differences = differences;
    this.#codesHere = new Map(Object.entries(differences.codes).map(([here, there]) => [there, here]));
  }

  /** @throws InputError for a call that the other side does not have, or a field of it */
  async request(call: Named, body: JsonObject, towards: Way["towards"]): Promise<JsonObject> {
    const known = await this.#of(call);
    if (known?.unusable !== undefined && towards === "there") throw new InputError(`${call.action}: ${known.unusable}`);
    const spelt = known?.request ? translated(known.request, body, { part: "request", towards, region: call.region }) : body;
    const operation = towards === "here" && (await operationOf(call));
    return operation ? withoutUnset(operation.input, spelt, this.#differences.emptyValues) : spelt;
  }

  /** `isOwn`: nobody else has the body, which may be written into. */
  async answer(call: Named, body: JsonObject, towards: Way["towards"], isOwn = false): Promise<JsonObject> {
    const known = await this.#of(call);
    return known?.answer ? translated(known.answer, body, { part: "answer", towards, region: call.region, isOwn }) : body;
  }

  /** The platform's words about a refused call, as the other side says them. What the call itself has in it is told as it was sent. */
  async reason(call: Named & { readonly body: JsonObject }, text: string): Promise<string> {
    const request = (await this.#of(call))?.request;
    const inWords = (part: string) =>
      this.#differences.words.reduce(
        (changing, [here, there]) => changing.replace(here, there),
        request ? namesThere(request, part) : part,
      );
    const sent = new Map(textsIn(call.body).map((one) => [one, one]));
    if (request) translated(request, call.body, { part: "request", towards: "there", region: call.region, noted: sent });
    const own = [...sent].filter(([here, there]) => here !== "" && (there !== here || inWords(here) !== here));
    if (own.length === 0) return inWords(text);
    // The longest first: one may be a part of another.
    const found = own.map(([here]) => escaped(here)).sort((one, other) => other.length - one.length);
    const parts = text.split(new RegExp(`(${found.join("|")})`));
    return parts.map((part, index) => (index % 2 === 1 ? (sent.get(part) ?? part) : inWords(part))).join("");
  }

  /** The code of a refusal on the other side. Those of an operation's own list are known once the operation was called. */
  code(code: string, towards: Way["towards"], { product, action }: Pick<Named, "action"> & { readonly product: string }): string {
    const own = [...(this.#differing.get(product)?.get(action)?.values() ?? [])].flatMap(({ codes = {} }) => Object.entries(codes));
    const [here, there] = own.find((pair) => pair[towards === "there" ? 0 : 1] === code) ?? [];
    return (towards === "there" ? (there ?? this.#differences.codes[code]) : (here ?? this.#codesHere.get(code))) ?? code;
  }

  #of(call: Named): Translations | undefined | Promise<Translations | undefined> {
    const differing = this.#differing.get(call.product);
    return differing ? this.#in(differing, call) : this.#load(call.product).then((loaded) => this.#in(loaded, call));
  }

  #in(differing: Differing, { action, version }: Named): Translations | undefined {
    const difference = differing.get(action)?.get(version);
    if (!difference) return undefined;
    const known = this.#translations.get(difference);
    if (known) return known;
    const { operation, request, answer, unusable } = difference;
    const made = {
      request: request && translationOf(operation.input, request),
      answer: answer && translationOf(operation.output, answer),
      unusable,
    };
    this.#translations.set(difference, made);
    return made;
  }

  async #load(product: Product): Promise<Differing> {
    const loaded = new Map<string, Map<string, Difference>>();
    for (const difference of await this.#differences.of(product)) {
      const { action, version } = difference.operation;
      loaded.set(action, (loaded.get(action) ?? new Map<string, Difference>()).set(version, difference));
    }
    this.#differing.set(product, loaded);
    return loaded;
  }
}

const keyOf = ({ product, action, version }: Omit<Named, "region">): string => `${product} ${action} ${version}`;

// Only a served platform needs the whole catalogue. It is loaded with its first call.
let operations: Promise<ReadonlyMap<string, Operation>> | undefined;

async function operationOf(call: Named): Promise<Operation | undefined> {
  operations ??= import("../catalogue/every-operation.ts").then(
    ({ catalogue, publicFormCatalogue }) => new Map([...catalogue, ...publicFormCatalogue].map((one) => [keyOf(one), one])),
  );
  return (await operations).get(keyOf(call));
}
