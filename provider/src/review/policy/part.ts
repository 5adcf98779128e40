import { isFields, isList, Secret, type SecretSign, Unknown, type Value } from "../plan/values.ts";
import { all, any, not, type Truth, truth } from "./truth.ts";

/** An input of a resource, or a part of one, that rules ask about. What is not known or not shown cannot be told. */
export class Part {
  readonly path: string;
  readonly #value: Value | undefined;
  readonly #parts = new Map<string, Part>();
  #items: readonly Part[] | undefined;

  constructor(value: Value | undefined, path = "") {
    this.#value = value;
    this.path = path;
  }

  /** A property of it. Of what is not there, nothing is there. */
  at(name: string): Part {
    const known = this.#parts.get(name);
    if (known) return known;
    const there = isFields(this.#value) && Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
    const part = new Part(this.#hidden ? this.#value : there, this.path ? `${this.path}.${name}` : name);
    this.#parts.set(name, part);
    return part;
  }

  /** The items of a list, the values of a record. */
  get items(): readonly Part[] {
    return (this.#items ??= this.#listed());
  }

  #listed(): readonly Part[] {
    if (isList(this.#value)) return this.#value.map((item, index) => new Part(item, `${this.path}[${index}]`));
    return isFields(this.#value) ? Object.keys(this.#value).map((name) => this.at(name)) : [];
  }

  get missing(): Truth {
    if (this.#value instanceof Unknown) return this.#untold;
    return truth(this.#value === undefined || this.#value === null, this.path);
  }

  get given(): Truth {
    return not(this.missing);
  }

  /** Whether it is one of these values. What is missing is none of them. */
  is(...values: readonly (string | number | boolean)[]): Truth {
    return this.#told((value) => values.some((one) => one === value));
  }

  /** Whether it is a text for which that holds. */
  text(holds: (text: string) => boolean): Truth {
    return this.#told((value) => typeof value === "string" && holds(value));
  }

  /** Whether both are texts for which that holds. */
  textWith(other: Part, holds: (text: string, other: string) => boolean): Truth {
    return other.#hidden ? other.#untold : this.text((text) => typeof other.#value === "string" && holds(text, other.#value));
  }

  /** Whether it is a number for which that holds. */
  number(holds: (number: number) => boolean): Truth {
    return this.#told((value) => typeof value === "number" && holds(value));
  }

  /** Whether that holds for the number of its items; what is missing has none. */
  count(holds: (count: number) => boolean): Truth {
    return this.#told(() => holds(this.items.length));
  }

  some(holds: (item: Part) => Truth): Truth {
    const [first, ...others] = this.#each(holds);
    return first ? any(first, ...others) : this.#told(() => false);
  }

  every(holds: (item: Part) => Truth): Truth {
    const [first, ...others] = this.#each(holds);
    return first ? all(first, ...others) : this.#told(() => true);
  }

  /** Whether it was taken for a secret because of what it looks like. What was hidden before anybody looked cannot be told. */
  looks(...signs: readonly SecretSign[]): Truth {
    if (!(this.#value instanceof Secret)) return this.#told(() => false);
    const unseen = this.#value.sign === "marked" || this.#value.sign === "defined";
    return unseen ? this.#untold : truth(signs.includes(this.#value.sign), this.path);
  }

  /** All that is neither list nor record, however deep. */
  get leaves(): readonly Part[] {
    return isList(this.#value) || isFields(this.#value) ? this.items.flatMap(({ leaves }) => leaves) : [this];
  }

  #each(holds: (item: Part) => Truth): Truth[] {
    return this.items.map((item) => holds(item));
  }

  get #hidden(): boolean {
    return this.#value instanceof Unknown || this.#value instanceof Secret;
  }

  get #untold(): Truth {
    return truth(undefined, this.path);
  }

  #told(holds: (value: Value | undefined) => boolean): Truth {
    return this.#hidden ? this.#untold : truth(holds(this.#value), this.path);
  }
}
