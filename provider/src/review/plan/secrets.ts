import { createHmac, randomBytes } from "node:crypto";
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

/** Words that a name of a secret ends with: `DB_PASSWORD`, `clientSecret`, `storage.accountKey`. */
const words = [
  "passw(?:or)?ds?|passphrase|passcode|(?<![a-z])pass|pwd|secrets?|tokens?|credentials?|kubeconfig|(?:connection|conn)[-_]?string|dsn",
  "(?:secret|api|app|auth|access|account|shared|private|encryption|signing|master|license|storage|service|ssh|deploy)[-_]?(?:access[-_]?)?keys?",
  "authorization|string[-_]?data|docker[-_]?config[-_]?json|htpasswd|webhook[-_]?(?:url|address)?",
].join("|");
const secretName = new RegExp(`(?:${words})$`, "i");

/** Whether the value of a property is secret whatever it is, because of its name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const scriptName = /(?:user[-_]?script|user[-_]?data|run[-_]?instance[-_]?para)$/i;

/** Whether the value of a property is a script, because of its name: what it holds is not looked through. */
export function isScriptName(name: string): boolean {
  return scriptName.test(name);
}

/** Patterns of secrets in any text. Each matches only the secret part. */
const signs: readonly (readonly [SecretSign, RegExp])[] = [
  ["private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ["kubeconfig", /\b(?:client-key-data|client-certificate-data|certificate-authority-data)["']?\s*[:=]\s*["']?[A-Za-z0-9+/=]+/g],
  ["JWT", /\beyJ[\w-]{6,}\.eyJ[\w-]{6,}\.?[\w-]*/g],
  // The password in an address.
  ["credential", /(?<=:\/\/[^\s:/@]*:)[^\s/@]+(?=@)/g],
  // Tokens that begin with the name of who gave them out.
  ["credential", /\b(?:AKIA|ASIA|AKID)[A-Za-z0-9]{12,}\b|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g],
  ["credential", /\bxox[abprs]-[\w-]{10,}|\bsk_(?:live|test)_\w{10,}|\bpul-[0-9a-f]{40}|\bnpm_\w{30,}|\bhvs\.[\w-]{20,}|\bAIza[\w-]{30,}/g],
  // Addresses that whoever knows them can write to.
  ["credential", /(?<=\bhttps?:\/\/(?:[\w-]+\.)*(?:hooks?|[\w-]*webhooks?)\.[\w.-]+(?::\d+)?\/)[^\s"'<>]+/gi],
  ["credential", /(?<=\bhttps?:\/\/[^\s"'<>?]*\/(?:[\w-]*webhooks?\d*|hooks?|webhookb2|services\/hooks)\/)[^\s"'<>]+/gi],
  ["credential", /(?<=\bhttps?:\/\/api\.telegram\.org\/bot)[^\s"'<>/]+/gi],
  ["credential", /(?<=[?&;](?:[\w-]*(?:key|token|secret|signature|password|credential)|sig|code|auth|pwd)=)[^\s"'<>&;#]+/gi],
  // Hashes of passwords: bcrypt, those of crypt, argon2, those of LDAP.
  ["credential", /\$(?:2[abxy]?|argon2(?:id|i|d)|scrypt|pbkdf2(?:-\w+)?|apr1|gy|y|7|6|5|1)\$[\w./+=,-]+(?:\$[\w./+=,-]+)*/g],
  ["credential", /\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT)\}[\w./+=$-]{8,}/g],
  // `"auth": "…"` of a dockerconfigjson, and what it is in base64.
  ["credential", /(?<="auth"\s*:\s*")[^"\n]+(?=")|\beyJhdXRocyI6[\w+/=-]*/g],
  // Options of commands.
  ["credential", /(?<=\s--?(?:password|passwd|pass|token|secret|api-key|secret-key|access-key)(?:\s+|=))(?!-)[^\s"'|;]+/gi],
  ["credential", /(?<=\bcurl\b[^\n|;]*\s(?:-u|--user)\s*["']?[^\s:"']+:)[^\s"']+/g],
  ["credential", /(?<=\b(?:docker|podman|helm|nerdctl)\b[^\n|;]*\blogin\b[^\n|;]*\s-p\s*["']?|\bmysql\w*\b[^\n|;]*\s-p["']?)[^\s"']+/g],
  ["credential", /(?<=\becho\s+(?:-\w+\s+)?["']?[\w.-]+:)[^\s"']+(?=["']?\s*\|\s*(?:sudo\s+)?chpasswd)/g],
  // `AWS_SECRET_ACCESS_KEY=…`, `dbPassword: …`, `"clientSecret": "…"`.
  [
    "credential",
    new RegExp(`(?<=(?:${words})["']?\\s*(?:=>|:=|[:=])\\s*)(?:(?:Bearer|Basic)\\s+)?(?:"[^"\\n]+"|'[^'\\n]+'|[^\\s"',;]+)`, "gi"),
  ],
  ["credential", /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g],
];

/** Whether a text is too plain for any sign of a secret: short words of letters and digits, such as names, ids and ranges. */
function isPlain(text: string): boolean {
  return !/[:=$?{@"']|-----|(?:^|\s)-\w|[A-Za-z0-9+/_-]{12}|\bB(?:earer|asic)\b/i.test(text);
}

/** The bytes in a base64 text; `undefined` if it is not base64. */
function unpacked(text: string): Buffer | undefined {
  const dense = text.replaceAll(/[\r\n]+/g, "");
  return dense.length < 12 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(dense) ? undefined : Buffer.from(dense, "base64");
}

/** The text in a base64 text; empty if it holds none. */
function decoded(text: string): string {
  const inner = unpacked(text)?.toString("utf8") ?? "";
  return /^[^\p{Cc}\uFFFD]*$/u.test(inner.replaceAll(/[\t\r\n]/g, "")) ? inner : "";
}

/** The beginnings of a script, of a cloud-init file, plain or packed, and of a login to registries. */
const scriptBeginning =
  /^(?:#!|#cloud-config|#ps1|Content-Type: multipart|apiVersion:|-----BEGIN|\u001f\u008b\u0008|\s*\{\s*"(?:auths|auth)")/;

function isScript(text: string): boolean {
  return scriptBeginning.test(unpacked(text)?.toString("latin1") ?? "");
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
