import { namedOtherwise, type OtherNames } from "../schema/paths.ts";

const names = new WeakMap<object, OtherNames>();

/** Has a component that another one makes, or the arguments for it, go by the names that the program has for these arguments. */
export function goingBy<Named extends object>(named: Named, own: OtherNames): Named {
  names.set(named, own);
  return named;
}

/** The names that were given to a component or its arguments. */
export function namesOf(named: object): OtherNames {
  return names.get(named) ?? {};
}

/** A sentence about an argument of a component, as the program calls that. */
export function asCalled(component: object, sentence: string): string {
  return namedOtherwise(namesOf(component), sentence);
}

/** The same names, where they are those of a component's arguments, as the program calls these. */
export function allAsCalled(component: object, from: OtherNames): OtherNames {
  return Object.fromEntries(Object.entries(from).map(([path, name]) => [path, asCalled(component, `${name}:`).slice(0, -1)]));
}
