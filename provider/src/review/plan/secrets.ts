import { createHmac, randomBytes } from "node:crypto";
import { Secret, type SecretSign } from "./values.ts";

/** Names of properties whose values are always secret. */
const secretName =
  /(?:password|passwd|passphrase|secret|secret[-_]?key|api[-_]?key|private[-_]?key|access[-_]?key|token|credentials?|kubeconfig|connection[-_]?string)$/i;
const scriptName = /(?:user[-_]?script|user[-_]?data|run[-_]?instance[-_]?para)$/i;

/** Patterns of secrets in any text. Each matches only the secret part. */
const signs: readonly (readonly [SecretSign, RegExp])[] = [
  ["private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ["kubeconfig", /\b(?:client-key-data|client-certificate-data|certificate-authority-data)["']?\s*[:=]\s*["']?[A-Za-z0-9+/=]+/g],
  ["JWT", /\beyJ[\w-]{6,}\.eyJ[\w-]{6,}\.?[\w-]*/g],
  ["credential", /(?<=:\/\/[^\s:/@]+:)[^\s/@]+(?=@)/g],
  ["credential", /\b(?:AKIA|ASIA|AKID)[A-Za-z0-9]{12,}\b|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}/g],
  [
    "credential",
    /(?<=(?:\b|_)(?:password|passwd|passphrase|secret|(?:secret[-_]?|api[-_]?|private[-_]?)(?:access[-_]?)?key|token|authorization)["']?\s*[:=]\s*)(?:(?:Bearer|Basic)\s+)?(?:"[^"\n]+"|'[^'\n]+'|[^\s"',;]+)/gi,
  ],
  ["credential", /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g],
];
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
    if (secretName.test(name)) return "credential";
    const found = signs.find(([, pattern]) => text.search(pattern) >= 0 || decoded(text).search(pattern) >= 0);
    if (found) return found[0];
    if (scriptName.test(name)) return "script";
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

/** The text in a base64 text; empty if it is no base64, or holds no text. */
function decoded(text: string): string {
  if (text.length < 12 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return "";
  const inner = Buffer.from(text, "base64").toString("utf8");
  return /^[^\p{Cc}\uFFFD]*$/u.test(inner.replaceAll(/[\t\r\n]/g, "")) ? inner : "";
}

/** Whether a text is the base64 of a script or of a cloud-init file. */
function isScript(text: string): boolean {
  if (text.length < 12 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return false;
  return /^(?:#!|#cloud-config|#ps1|Content-Type: multipart|apiVersion:|-----BEGIN)/.test(Buffer.from(text, "base64").toString("latin1"));
}

/** Whether a part of a text looks random, by its entropy in bits per character. Checksums and ids do not count. */
function looksRandom(part: string, text: string): boolean {
  if (/^[0-9a-f]+$/i.test(part)) return part.length >= 32 && entropyOf(part) > 3 && !text.includes(`sha256:${part}`);
  const mixed = /[a-z]/.test(part) && /[A-Z]/.test(part) && (part.match(/\d/g)?.length ?? 0) >= 2;
  return mixed && entropyOf(part) >= (/[-_/]/.test(part) ? 4.5 : 4.1);
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
