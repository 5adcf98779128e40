import fc from "fast-check";
import type { Props } from "../support/structs.ts";
import { called, type Declaration, type Program, Reference } from "./program.ts";

/** Random programs whose resources come into each other's way, and edits of them. */

const kinds = ["Vpc", "Subnet", "RegistryInstance", "Namespace"] as const;
type KindName = (typeof kinds)[number];

/** What holds others. */
const holders: Readonly<Partial<Record<KindName, KindName>>> = { Subnet: "Vpc", Namespace: "RegistryInstance" };

/** A resource: `place` is the one that it is in, `value` says which range or name it has of few. */
interface Thing {
  readonly kind: KindName;
  readonly name: string;
  readonly value: number;
  readonly place: string | undefined;
  readonly alias?: string;
  readonly first?: boolean;
  readonly after?: string;
}

export interface Edit {
  readonly does: "add" | "remove" | "rename" | "alias" | "change" | "swap" | "move" | "force" | "force first" | "after";
  readonly kind: KindName;
  readonly pick: number;
  readonly value: number;
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record<Edit>({
    does: fc.constantFrom("add", "add", "remove", "rename", "alias", "change", "change", "swap", "move", "force", "force first", "after"),
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(99),
    value: fc.nat(5),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The ranges that a subnet may have in its VPC: some overlap, and one is outside. */
const parts = ["0.0/17", "0.0/20", "16.0/20", "128.0/20", "128.0/17"] as const;

export class CollidingProgram {
  readonly #things: Thing[] = [];
  #names = 0;

  /** A copy with some edits. Returns what is to be replaced by force. */
  edited(all: readonly Edit[]): { readonly program: CollidingProgram; readonly forced: readonly string[] } {
    const program = new CollidingProgram();
    program.#things.push(...this.#things.map(({ alias: _alias, first: _first, after: _after, ...thing }) => thing));
    program.#names = this.#names;
    const forced = all.flatMap((edit) => program.#edit(edit));
    return { program, forced };
  }

  get declarations(): Program {
    const depth = ({ kind }: Thing): number => (holders[kind] ? 1 : 0);
    const sorted = this.#things.toSorted((one, other) => depth(one) - depth(other));
    const ordered: Thing[] = [];
    // What is to come after another one comes after it.
    const place = (thing: Thing): void => {
      if (ordered.includes(thing)) return;
      const before = sorted.find(({ kind, name }) => kind === thing.kind && name === thing.after);
      if (before) place(before);
      ordered.push(thing);
    };
    sorted.forEach(place);
    return ordered.map(declared);
  }

  #edit({ does, kind, pick, value }: Edit): readonly string[] {
    const some = this.#things.filter((thing) => thing.kind === kind);
    const thing = some[pick % Math.max(1, some.length)];
    if (does === "add" || !thing) return this.#add(kind, value, pick);
    const other = some.find((one) => one !== thing && one.place === thing.place);
    if (does === "remove") this.#remove(thing);
    else if (does === "rename") this.#rename(thing, false);
    else if (does === "alias") this.#rename(thing, true);
    else if (does === "change") this.#put(thing, { value });
    else if (does === "move") this.#move(thing, pick);
    else if (does === "swap" && other) {
      this.#put(thing, { value: other.value });
      this.#put(other, { value: thing.value });
    } else if (does === "after" && other && other.after === undefined) this.#put(thing, { after: other.name, value });
    else if (does === "force" || does === "force first") {
      if (does === "force first") this.#put(thing, { first: true });
      return [called({ type: kind, name: thing.name })];
    }
    return [];
  }

  #add(kind: KindName, value: number, pick: number): readonly string[] {
    const holder = holders[kind];
    if (holder && !this.#things.some((thing) => thing.kind === holder)) this.#add(holder, pick % 6, pick);
    const places = this.#things.filter((thing) => thing.kind === holder);
    this.#things.push({
      kind,
      name: `${kind.toLowerCase()}-${++this.#names}`,
      value,
      place: places[pick % Math.max(1, places.length)]?.name,
    });
    return [];
  }

  #remove(thing: Thing): void {
    for (const one of this.#things.filter(({ kind, place }) => holders[kind] === thing.kind && place === thing.name)) this.#remove(one);
    this.#things.splice(this.#things.indexOf(thing), 1);
  }

  #rename(thing: Thing, isTold: boolean): void {
    const name = `${thing.kind.toLowerCase()}-${++this.#names}`;
    for (const one of this.#things.filter(({ kind, place }) => holders[kind] === thing.kind && place === thing.name))
      this.#put(one, { place: name });
    this.#put(thing, { name, ...(isTold ? { alias: thing.alias ?? thing.name } : {}) });
  }

  #move(thing: Thing, pick: number): void {
    const places = this.#things.filter(({ kind }) => kind === holders[thing.kind]);
    const place = places[(pick + 1) % Math.max(1, places.length)];
    if (place) this.#put(thing, { place: place.name });
  }

  #put(thing: Thing, change: Partial<Thing>): void {
    const at = this.#things.findIndex(({ kind, name }) => kind === thing.kind && name === thing.name);
    const now = this.#things[at];
    if (now) this.#things[at] = { ...now, ...change };
  }
}

function declared({ kind, name, value, place = "", alias, first, after }: Thing): Declaration {
  return {
    type: kind,
    name,
    args: argsOf(kind, value, place),
    ...(alias === undefined ? {} : { aliases: [alias] }),
    ...(first === undefined ? {} : { first }),
    ...(after === undefined ? {} : { dependsOn: [called({ type: kind, name: after })] }),
  };
}

function argsOf(kind: KindName, value: number, place: string): Props {
  if (kind === "Vpc") return { cidrBlock: `10.${value >> 1}.0.0/${value % 2 === 0 ? 16 : 17}` };
  if (kind === "RegistryInstance") return { registryName: `acme-${value}`, deleteBucket: true };
  if (kind === "Namespace")
    return { registryId: new Reference(`RegistryInstance ${place}`, "registryId"), namespaceName: `team-${value}`, isPublic: false };
  const vpcId = new Reference(`Vpc ${place}`, "vpcId");
  return { vpcId, zone: "eu-frankfurt-1", cidrBlock: `10.${value > 4 ? 200 : value % 3}.${parts[value % parts.length]}` };
}
