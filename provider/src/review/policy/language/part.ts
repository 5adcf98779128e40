import { isFields, isList, Secret, type SecretSign, Unknown, type Value } from "../../plan/values.ts";
import { all, any, not, type Truth, truth } from "./truth.ts";

/** An input of a resource, or a part of one, that rules check. If the value is unknown or secret, the result is undecided. */
export class Part {
  readonly path: string;
  readonly #value: Value | undefined;
  readonly #parts = new Map<string, Part>();
  #items: readonly Part[] | undefined;

  constructor(value: Value | undefined, path = "") {
    this.#value = value;
    this.path = path;
  }

  /** A property of it. A property of a missing value is missing, too. */
  at(name: string): Part {
    const known = this.#parts.get(name);
    if (known) return known;
    const value = isFields(this.#value) && Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
    const part = new Part(this.#isHidden ? this.#value : value, this.path ? `${this.path}.${name}` : name);
    this.#parts.set(name, part);
    return part;
  }

  /** The items of a list, or the values of a record. */
  get items(): readonly Part[] {
    return (this.#items ??= this.#listed());
  }

  #listed(): readonly Part[] {
    if (isList(this.#value)) return this.#value.map((item, index) => new Part(item, `${this.path}[${index}]`));
    return isFields(this.#value) ? Object.keys(this.#value).map((name) => this.at(name)) : [];
  }

  /** Its value; `undefined` if that is hidden. */
  get shown(): { readonly value: Value | undefined } | undefined {
    return this.#isHidden ? undefined : { value: this.#value };
  }

  get missing(): Truth {
    if (this.#value instanceof Unknown) return this.#undecided;
    return truth(this.#value === undefined || this.#value === null, this.path);
  }

  get given(): Truth {
    return not(this.missing);
  }

  /** Whether it is one of these values. A missing value is none of them. */
  is(...values: readonly (string | number | boolean)[]): Truth {
    return this.#decided((value) => values.some((one) => one === value));
  }

  /** Whether it is a text for which `holds` returns true. */
  text(holds: (text: string) => boolean): Truth {
    return this.#decided((value) => typeof value === "string" && holds(value));
  }

  /** Whether both are texts for which `holds` returns true. */
  textWith(other: Part, holds: (text: string, other: string) => boolean): Truth {
    return other.#isHidden ? other.#undecided : this.text((text) => typeof other.#value === "string" && holds(text, other.#value));
  }

  /** Whether it is a number for which `holds` returns true. */
  number(holds: (number: number) => boolean): Truth {
    return this.#decided((value) => typeof value === "number" && holds(value));
  }

  /** Whether `holds` returns true for the number of its items. A missing value has none. */
  count(holds: (count: number) => boolean): Truth {
    return this.#decided(() => holds(this.items.length));
  }

  some(holds: (item: Part) => Truth): Truth {
    const [first, ...others] = this.#each(holds);
    return first ? any(first, ...others) : this.#decided(() => false);
  }

  every(holds: (item: Part) => Truth): Truth {
    const [first, ...others] = this.#each(holds);
    return first ? all(first, ...others) : this.#decided(() => true);
  }

  /** Whether it is a secret that was recognised by one of these signs. Other secrets are undecided, because their values are not known. */
  looks(...signs: readonly SecretSign[]): Truth {
    if (!(this.#value instanceof Secret)) return this.#decided(() => false);
    const unseen = this.#value.sign === "marked" || this.#value.sign === "defined";
    return unseen ? this.#undecided : truth(signs.includes(this.#value.sign), this.path);
  }

  /** All values in it, at any depth, that are neither lists nor records. */
  get leaves(): readonly Part[] {
    return isList(this.#value) || isFields(this.#value) ? this.items.flatMap(({ leaves }) => leaves) : [this];
  }

  #each(holds: (item: Part) => Truth): Truth[] {
    return this.items.map((item) => holds(item));
  }

  get #isHidden(): boolean {
    return this.#value instanceof Unknown || this.#value instanceof Secret;
  }

  get #undecided(): Truth {
    return truth(undefined, this.path);
  }

  #decided(holds: (value: Value | undefined) => boolean): Truth {
    return this.#isHidden ? this.#undecided : truth(holds(this.#value), this.path);
  }
}
