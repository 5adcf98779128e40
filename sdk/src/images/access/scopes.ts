import type { Doing } from "../../local/registry/access/container-client.ts";

/** What a request needs: an action in a repository. */
export interface Need {
  /** The full name of the repository. */
  readonly name: string;
  readonly doing: Doing;
}

/** What a session was asked for: actions, by what they are on, such as `repository:team/web`. */
export type Scopes = ReadonlyMap<string, ReadonlySet<string>>;

/** The scopes of a log-in, such as `repository:team/web:pull,push`; several are given one by one, or in one text with spaces between. */
export function scopesFrom(texts: readonly string[]): Scopes {
  const scopes = new Map<string, Set<string>>();
  for (const text of texts.flatMap((each) => each.split(" "))) {
    const [, on, actions = ""] = /^(.+):([^:]*)$/.exec(text) ?? [];
    if (on === undefined) continue;
    const there = scopes.get(on) ?? new Set();
    scopes.set(on, there);
    for (const action of actions.split(",")) there.add(action);
  }
  return scopes;
}

export function includes(scopes: Scopes, { name, doing }: Need): boolean {
  const there = scopes.get(`repository:${name}`);
  return there !== undefined && (there.has(doing) || there.has("*"));
}

/** The scopes that a client is told to ask for. Whoever pushes pulls, too: clients look first what is there. */
export function scopeText(needs: readonly Need[]): string {
  return needs.map(({ name, doing }) => `repository:${name}:${doing === "push" ? "pull,push" : doing}`).join(" ");
}
