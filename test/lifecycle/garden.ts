import { type Part, type Program, Told } from "./program.ts";
import { type Settings, type TemplateName, templates } from "./templates.ts";

/** A resource of a random program. */
export interface Plant {
  readonly key: number;
  readonly template: TemplateName;
  readonly name: string;
  /** The plants that it needs, by role. */
  readonly needs: Readonly<Record<string, number>>;
  readonly settings: Settings;
  readonly protect: boolean;
  /** The name that it had in the last run. */
  readonly alias?: string | undefined;
  /** The id of what exists already, and is taken over by the next run. */
  readonly imported?: string | undefined;
}

/** A random program that is edited step by step. What a plant needs stands before it. */
export class Garden {
  #plants: readonly Plant[] = [];
  #keys = 0;

  get plants(): readonly Plant[] {
    return this.#plants;
  }

  get program(): Program {
    return this.#plants.map((plant) => this.#partOf(plant));
  }

  /** Adds a plant, and what it needs as far as there is none. */
  add(template: TemplateName, pick: number): Plant {
    const { needs, onceFor } = templates[template];
    const needed = Object.entries(needs).map(([role, name]) => [role, this.#oneOf(name, pick).key] as const);
    const plant = this.#planted(template, Object.fromEntries(needed));
    const rival =
      onceFor !== undefined &&
      this.#plants.find((one) => one.template === template && this.#at(one, onceFor).key === this.#at(plant, onceFor).key);
    if (rival) return rival;
    this.#plants = [...this.#plants, plant];
    return plant;
  }

  /** Takes a plant out, and all that need it. */
  remove(plant: Plant): void {
    const gone = new Set([plant.key]);
    for (const one of this.#plants) if (Object.values(one.needs).some((key) => gone.has(key))) gone.add(one.key);
    this.#plants = this.#plants.filter(({ key }) => !gone.has(key));
  }

  edit(plant: Plant, change: Partial<Plant>): void {
    this.#plants = this.#plants.map((one) => (one.key === plant.key ? { ...one, ...change } : one));
  }

  editAll(change: Partial<Plant>): void {
    this.#plants = this.#plants.map((one) => ({ ...one, ...change }));
  }

  /** A number that no plant has had. */
  next(): number {
    return ++this.#keys;
  }

  #planted(template: TemplateName, needs: Plant["needs"]): Plant {
    const key = this.next();
    return { key, template, name: `${template}-${key}`, needs, settings: { version: 0, place: key, half: false }, protect: false };
  }

  #oneOf(template: TemplateName, pick: number): Plant {
    const those = this.#plants.filter((plant) => plant.template === template);
    return those[pick % Math.max(1, those.length)] ?? this.add(template, pick);
  }

  /** What a plant needs by a role, such as `subnet.vpc`. */
  #at(plant: Plant, path: string): Plant {
    const [role = "", ...rest] = path.split(".");
    const found = this.#plants.find(({ key }) => key === plant.needs[role]);
    if (!found) throw new Error(`${plant.name} has no ${path}`);
    return rest.length === 0 ? found : this.#at(found, rest.join("."));
  }

  #partOf(plant: Plant): Part {
    const { template, name, settings, protect, alias, imported } = plant;
    const { type, args } = templates[template];
    const wish = args(settings, (role, property, carved) => {
      const needed = this.#at(plant, role);
      return new Told(`${templates[needed.template].type} ${needed.name}`, property, carved);
    });
    return {
      type,
      name,
      args: wish,
      protect,
      ...(alias === undefined ? {} : { aliases: [alias] }),
      ...(imported === undefined ? {} : { import: imported }),
    };
  }
}
