import { createHmac, randomBytes } from "node:crypto";
import { decoded, isPlain, isScript, isScriptName, isSecretName, looksRandom, signs } from "./secret-signs.ts";
import { Secret, type SecretSign } from "./values.ts";

const chunk = /[A-Za-z0-9+/_=-]{20,}/g;

/** Recognises secrets, and replaces them by keyed hashes. Equal secrets have equal hashes, and the hash reveals nothing else. */
export class Redactor {
  /** Whether the key is one that other runs have as well: only then, hashes of two runs can be compared. */
  readonly isKeyed: boolean;
  readonly #key: Buffer;
  /** The secrets found so far: a diagnostic may repeat them. */
  readonly #seen = new Map<string, Secret>();
  /** The same, the longest first, because one secret may be a part of another. `undefined` after a new one was found. */
  #longestFirst: readonly (readonly [string, Secret])[] | undefined;

  constructor(key: string | undefined) {
    this.isKeyed = key !== undefined;
    this.#key = key === undefined ? randomBytes(32) : Buffer.from(key);
  }

  /** Makes a secret of a value. From now on, `text` also replaces this value. */
  secret(sign: SecretSign, value: unknown): Secret {
    const plain = typeof value === "string" ? value : JSON.stringify(value);
    const made = new Secret(sign, createHmac("sha256", this.#key).update(plain).digest("hex").slice(0, 8));
    this.#remember(value, made);
    return made;
  }

  /** A secret that the engine does not show. It has no hash, so it cannot be compared. */
  notShown(): Secret {
    return new Secret("marked", undefined);
  }

  /** Why a text is secret as a whole: its property's name, or because it contains something that looks like a secret. */
  signOf(name: string, text: string): SecretSign | undefined {
    if (isSecretName(name)) return "credential";
    if (isPlain(text)) return isScriptName(name) ? "script" : undefined;
    const inner = decoded(text);
    // A value of a Kubernetes secret is base64, and what it holds often is, too.
    const texts = [text, inner, decoded(inner)].filter((one) => one !== "");
    const found = signs.find(([, pattern]) => texts.some((one) => one.search(pattern) >= 0));
    if (found) return found[0];
    if (isScriptName(name)) return "script";
    if (/^apiVersion:\s*v1\s[\s\S]*^kind:\s*Config\b/m.test(text)) return "kubeconfig";
    if (isScript(text)) return "script";
    return [...text.matchAll(chunk)].some(([part]) => isScript(part) || looksRandom(part, text)) ? "high entropy" : undefined;
  }

  /** A text with all secrets in it replaced. */
  text(original: string): string {
    let shown = original;
    this.#longestFirst ??= [...this.#seen].toSorted(([one], [other]) => other.length - one.length);
    for (const [plain, { digest }] of this.#longestFirst) if (shown.includes(plain)) shown = shown.replaceAll(plain, placeholder(digest));
    for (const [sign, pattern] of signs) shown = shown.replaceAll(pattern, (part) => this.#hidden(sign, part));
    return shown.replaceAll(chunk, (part) => (isScript(part) || looksRandom(part, shown) ? this.#hidden("high entropy", part) : part));
  }

  #hidden(sign: SecretSign, part: string): string {
    return part.startsWith("[secret") ? part : placeholder(this.secret(sign, part).digest);
  }

  #remember(value: unknown, made: Secret): void {
    this.#longestFirst = undefined;
    if (typeof value === "string") {
      // Shorter values are often ordinary words, which must not be replaced everywhere.
      if (value.length >= 5) this.#seen.set(value, made);
      for (const line of value.includes("\n") ? value.split("\n") : []) if (line.trim().length >= 16) this.#seen.set(line.trim(), made);
    } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) this.#remember(inner, made);
  }
}

export function placeholder(digest: string | undefined): string {
  return digest === undefined ? "[secret]" : `[secret ${digest}]`;
}
