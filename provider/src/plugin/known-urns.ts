import { identityOf } from "../runtime/tokens.ts";
import type { Engine } from "../dynamic/engine.ts";

/** The URNs that the engine has for resources, by those that the provider knows them by. */
export class KnownUrns {
  readonly #urns = new Map<string, string>();

  note(urn: string): void {
    this.#urns.set(identityOf(urn), urn);
  }

  /** A text about resources, with the URNs that the engine has. */
  inText(text: string): string {
    // A name may hold a space; then it stands in quotes.
    return text.replaceAll(/(?<=')urn:pulumi:[^']+|urn:pulumi:[^\s'"]+/g, (urn) => this.#urns.get(urn) ?? urn);
  }

  /** An engine that is told the URNs which it knows. */
  for(engine: Engine): Engine {
    const renaming =
      (tell: Engine["show"]): Engine["show"] =>
      (urn, message) =>
        tell(this.#urns.get(urn) ?? urn, message);
    return { ...engine, show: renaming(engine.show), note: renaming(engine.note), warn: renaming(engine.warn) };
  }
}
