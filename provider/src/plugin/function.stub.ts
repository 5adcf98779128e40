// In the plugin, this takes the place of `functions/definition.ts`: no program calls a function there, and it is its definition alone.

export function reading<Definition>(definition: Definition): Definition {
  return definition;
}

/** What is called with Outputs is for programs. */
export function outputOf(): undefined {
  return undefined;
}

export function definitionOf<Definition>(of: Definition): Definition {
  return of;
}
