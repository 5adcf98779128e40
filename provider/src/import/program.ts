import { check } from "../lifecycle/check.ts";
import { unreadableSecrets } from "../schema/secrets.ts";
import { construction, Expression, importing } from "./code.ts";
import type { Found } from "./found.ts";
import { byName, type Called, namesFor } from "./names.ts";
import { inOrder, namedBy, type References, referencesTo, replaced } from "./references.ts";

export interface Program {
  readonly text: string;
  /** What the checks of a deployment say against it, a sentence each. */
  readonly complaints: readonly string[];
}

export interface ProgramOptions {
  readonly region: string;
  /** Whether the resources take over what is there; otherwise they are for a stack that has it already. */
  readonly adopting: boolean;
}

/** The program that declares things as they are. The same things give the same program. */
export function programOf(things: readonly Found[], { region, adopting }: ProgramOptions): Program {
  const references = referencesTo(things);
  const ordered = inOrder(byName(things, references), references);
  const names = namesFor(ordered, references);
  const types = [...new Set(things.map(({ kind }) => kind.type))].sort();
  const places = new Map(ordered.map((thing, place) => [thing, place]));
  const isBefore = (one: Found, other: Found) => (places.get(one) ?? 0) < (places.get(other) ?? 0);
  const named = new Set(ordered.flatMap((thing) => namedBy(thing, references).filter((other) => isBefore(other, thing))));
  const statements = ordered.map((thing, index) => {
    const isFirst = ordered.findIndex(({ kind }) => kind === thing.kind) === index;
    const statement = statementOf(thing, { names, references, adopting, isBefore, isNamed: named.has(thing) });
    return (isFirst ? remarkOn(thing) : "") + statement;
  });
  const head = `// What is in ${region}${adopting ? ". The first `pulumi up` takes it over, and `import` can go then" : ""}.\n`;
  return {
    text: `${[head + importing(types, "@container-platform/pulumi"), ...statements].join("\n\n")}\n`,
    complaints: ordered.flatMap((thing) => complaintsAbout(thing)),
  };
}

interface Place {
  readonly names: ReadonlyMap<Found, Called>;
  readonly references: References;
  readonly isBefore: (one: Found, other: Found) => boolean;
  /** Whether something that is declared later names it. */
  readonly isNamed: boolean;
  readonly adopting: boolean;
}

function statementOf(thing: Found, { names, references, adopting, isBefore, isNamed }: Place): string {
  const { name = "", variable = "" } = names.get(thing) ?? {};
  const inputs = replaced(thing, (text, key) => {
    const reference = references.at(thing, key, text);
    if (!reference || !isBefore(reference.of, thing)) return text;
    return new Expression((names.get(reference.of)?.variable ?? "") + reference.way);
  });
  const options = adopting ? [{ import: thing.id }] : [];
  return construction(`${isNamed ? `const ${variable} = ` : ""}new ${thing.kind.type}`, name, inputs, ...options);
}

/** What a program cannot say, because the platform does not. */
function remarkOn({ kind, live }: Found): string {
  const { inputs, outputs } = unreadableSecrets(kind, live);
  const lines = [
    ...(inputs.length > 0 ? [`// ${inputs.join(", ")}: not told by the platform. It stays as it is, unless it is set here.\n`] : []),
    ...(outputs.length > 0 ? [`// ${outputs.join(", ")}: told when it was made, and never again. What needs it needs a new one.\n`] : []),
  ];
  return lines.join("");
}

function complaintsAbout({ kind, id, inputs }: Found): string[] {
  const { failures } = check(kind, {}, inputs);
  return failures.map((failure) => `${kind.type} ${id}: ${failure}`);
}
