import { digestFrom, type Digest, shown } from "./digest.ts";
import { Refusal } from "./refusal.ts";

/** The full name of a repository (distribution specification, "Pulling manifests"). */
const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const fullName = new RegExp(`^${part}(?:/${part})*$`);
const tagName = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const mostCharacters = 255;

/** What a manifest is asked for by. */
export type Reference = { readonly tag: string; readonly digest?: undefined } | { readonly digest: Digest; readonly tag?: undefined };

/** What the path of a request is about. */
export type Route =
  | { readonly kind: "base" }
  | { readonly kind: "catalog" }
  | { readonly kind: "tags"; readonly name: string }
  | { readonly kind: "manifest"; readonly name: string; readonly reference: Reference }
  | { readonly kind: "blob"; readonly name: string; readonly digest: Digest }
  | { readonly kind: "uploads"; readonly name: string }
  | { readonly kind: "upload"; readonly name: string; readonly id: string }
  | { readonly kind: "referrers"; readonly name: string; readonly digest: Digest };

/** The paths below `/v2/`, with what they are about. The name of a repository may have the words of the others in it. */
const routes: readonly (readonly [path: RegExp, route: (name: string, last: string) => Route])[] = [
  [/^(.+)\/tags\/list$/, (name) => ({ kind: "tags", name })],
  [/^(.+)\/blobs\/uploads\/?$/, (name) => ({ kind: "uploads", name })],
  [/^(.+)\/blobs\/uploads\/([^/]+)$/, (name, id) => ({ kind: "upload", name, id })],
  [/^(.+)\/blobs\/([^/]+)$/, (name, digest) => ({ kind: "blob", name, digest: digestFrom(digest) })],
  [/^(.+)\/manifests\/([^/]+)$/, (name, reference) => ({ kind: "manifest", name, reference: referenceFrom(reference) })],
  [/^(.+)\/referrers\/([^/]+)$/, (name, digest) => ({ kind: "referrers", name, digest: digestFrom(digest) })],
];

/** @throws Refusal for a path that is none of the protocol's, an invalid name, and an invalid digest or tag. */
export function routeOf(path: string): Route {
  const below = /^\/v2(?:\/(.*))?$/s.exec(decoded(path));
  const [, rest = ""] = below ?? [];
  if (below && rest === "") return { kind: "base" };
  if (rest === "_catalog") return { kind: "catalog" };
  for (const [pattern, route] of routes) {
    const [, name, last = ""] = pattern.exec(rest) ?? [];
    if (name !== undefined) return route(nameFrom(name), last);
  }
  throw new Refusal(404, "UNSUPPORTED", `the distribution protocol has no path ${shown(path)}`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "NAME_INVALID", `${shown(path)} is no path`);
  }
}

/** @throws Refusal for a text that is no name of a repository. */
export function nameFrom(text: string): string {
  if (fullName.test(text) && text.length <= mostCharacters) return text;
  throw new Refusal(
    400,
    "NAME_INVALID",
    `${shown(text)} is no name of a repository: it takes at most ${mostCharacters} lower-case letters, digits and separators (., _, -, /), as in team/web`,
  );
}

function referenceFrom(text: string): Reference {
  return text.includes(":") ? { digest: digestFrom(text) } : { tag: tagFrom(text) };
}

/** @throws Refusal for a text that is no tag. */
export function tagFrom(text: string): string {
  if (tagName.test(text)) return text;
  throw new Refusal(
    400,
    "MANIFEST_INVALID",
    `${shown(text)} is no tag: it takes 1 to 128 letters, digits, _, - and ., the first none of - and .`,
  );
}
