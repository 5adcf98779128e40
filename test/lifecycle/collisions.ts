import fc from "fast-check";
import {
  declared,
  insideOf,
  isOn,
  type KindName,
  kinds,
  mostValue,
  needs,
  poolsIn,
  type Role,
  roles,
  type Thing,
} from "./colliding-things.ts";
import { testedShell } from "../support/shell.ts";
import { called, type Program, sourcesOf } from "./program.ts";

/** Random programs whose resources come into each other's way, and edits of them. */

export interface Edit {
  readonly does: "add" | "remove" | "rename" | "alias" | "change" | "swap" | "move" | "force" | "force first" | "after";
  readonly kind: KindName;
  readonly pick: number;
  readonly value: number;
}

/** The plugin does not see these options: a conflict that only they solve is an error there (docs/reference/compatibility.md). */
const withOptions: readonly Edit["does"][] = testedShell === "dynamic" ? ["force first", "after"] : [];

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record<Edit>({
    does: fc.constantFrom("add", "add", "remove", "rename", "alias", "change", "change", "swap", "move", "force", ...withOptions),
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(99),
    value: fc.nat(mostValue),
  }),
  { minLength: 1, maxLength: 3 },
);

export interface Run {
  readonly program: Program;
  readonly forced: readonly string[];
}

export class CollidingProgram {
  readonly #things: Thing[] = [];
  #names = 0;

  /** A copy with some edits. Returns what is to be replaced by force. */
  edited(all: readonly Edit[]): { readonly program: CollidingProgram; readonly forced: readonly string[] } {
    const program = new CollidingProgram();
    program.#things.push(...this.#things.map(({ alias: _alias, first: _first, after: _after, ...thing }) => thing));
    program.#names = this.#names;
    const forced = all.flatMap((edit) => program.#edit(edit));
    // Only what is there can be replaced.
    const both = [this, program].map(({ declarations }) => declarations.map(called));
    return { program, forced: [...new Set(forced)].filter((name) => both.every((names) => names.includes(name))) };
  }

  get declarations(): Program {
    const there = this.#things.filter(({ kind, place }) => kind !== "ClusterEndpoint" || poolsIn(place, this.#things).length > 0);
    const rank = ({ kind }: Thing): number => kinds.indexOf(kind);
    return inOrder(there.toSorted((one, other) => rank(one) - rank(other)).map((thing) => declared(thing, there)));
  }

  #edit({ does, kind, pick, value }: Edit): readonly string[] {
    const some = this.#things.filter((thing) => thing.kind === kind);
    const thing = some[pick % Math.max(1, some.length)];
    if (does === "add" || !thing) return this.#add(kind, value, pick);
    const other = some.find((one) => one !== thing && one.place === thing.place);
    if (does === "remove") this.#remove(thing);
    else if (does === "rename") this.#rename(thing, false);
    else if (does === "alias") this.#rename(thing, true);
    else if (does === "change") this.#put(thing, { value, inside: insideOf(thing, this.#things) });
    else if (does === "move") this.#move(thing, pick);
    else if (does === "swap" && other) {
      this.#put(thing, { value: other.value });
      this.#put(other, { value: thing.value });
    } else if (does === "after" && other && other.after === undefined) this.#put(thing, { after: other.name, value });
    else if (does === "force" || does === "force first") {
      // The platform refuses it while a gateway or a subnet uses them, and Pulumi does not tell the provider of it.
      if (does === "force first" && kind !== "ElasticIp" && kind !== "RouteTable") this.#put(thing, { first: true });
      return [called({ type: kind, name: thing.name })];
    }
    return [];
  }

  /** Adds a resource, with what it needs and the program does not have. */
  #add(kind: KindName, value: number, pick: number): readonly string[] {
    const links = roles.map((role) => [role, this.#oneFor(kind, role, pick)] as const);
    const asked: Thing = { kind, name: this.#newName(kind), value, ...Object.fromEntries(links) };
    const thing = { ...asked, inside: insideOf(asked, this.#things) };
    this.#things.push(thing);
    if (kind === "ClusterEndpoint" && poolsIn(thing.place, this.#things).length === 0)
      this.#things.push({ kind: "NodePool", name: this.#newName("NodePool"), value: pick % 2, place: thing.place, beside: thing.beside });
    return [];
  }

  #oneFor(kind: KindName, role: Role, pick: number): string | undefined {
    const needed = needs[kind][role];
    if (!needed) return undefined;
    if (!this.#things.some((thing) => thing.kind === needed)) this.#add(needed, pick % 6, pick);
    const some = this.#things.filter((thing) => thing.kind === needed);
    return some[pick % some.length]?.name;
  }

  #newName(kind: KindName): string {
    return `${kind.toLowerCase()}-${++this.#names}`;
  }

  #remove(thing: Thing): void {
    for (const one of this.#things.filter((on) => isOn(on, thing))) this.#remove(one);
    const at = this.#things.indexOf(thing);
    if (at >= 0) this.#things.splice(at, 1);
  }

  #rename(thing: Thing, isTold: boolean): void {
    const name = this.#newName(thing.kind);
    for (const one of this.#things.filter((on) => isOn(on, thing))) {
      const links = roles.filter((role) => needs[one.kind][role] === thing.kind && one[role] === thing.name);
      this.#put(one, Object.fromEntries(links.map((role) => [role, name])));
    }
    this.#put(thing, { name, ...(isTold ? { alias: thing.alias ?? thing.name } : {}) });
  }

  #move(thing: Thing, pick: number): void {
    const role = thing.beside !== undefined && pick % 2 === 1 ? "beside" : "place";
    const places = this.#things.filter(({ kind }) => kind === needs[thing.kind][role]);
    const place = places[(pick + 1) % Math.max(1, places.length)];
    if (!place) return;
    const moved = { ...thing, [role]: place.name };
    // Most take a range of the new place.
    this.#put(thing, pick % 3 === 0 ? moved : { ...moved, inside: insideOf(moved, this.#things) });
  }

  #put(thing: Thing, change: Partial<Thing>): void {
    const at = this.#things.findIndex(({ kind, name }) => kind === thing.kind && name === thing.name);
    const now = this.#things[at];
    if (now) this.#things[at] = { ...now, ...change };
  }
}

/** The same program in other orders that its references allow: the last resource first with all that it needs, and the last of each type first. */
export function turned(program: Program): readonly Program[] {
  const back = program.toReversed();
  return [inOrder(back), inOrder(kinds.flatMap((kind) => back.filter(({ type }) => type === kind)))];
}

/** Each after what it needs, else as they are. */
function inOrder(program: Program): Program {
  const ordered: Program[number][] = [];
  const put = (one: Program[number]): void => {
    if (ordered.includes(one)) return;
    const before = [...(one.dependsOn ?? []), ...sourcesOf(one.args)];
    for (const other of program) if (before.includes(called(other))) put(other);
    ordered.push(one);
  };
  program.forEach(put);
  return ordered;
}
