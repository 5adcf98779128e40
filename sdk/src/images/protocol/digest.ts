import { Refusal } from "./refusal.ts";

/** The algorithms whose digests are taken, with the number of their hexadecimal digits. */
const digits = { sha256: 64, sha512: 128 } as const;

export type Algorithm = keyof typeof digits;

/** What an image client names content by: `<algorithm>:<hex>`. */
export interface Digest {
  readonly text: string;
  readonly algorithm: Algorithm;
  readonly hex: string;
}

export function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(digits, text);
}

/** A digest; `undefined` for another text. */
export function digestIn(text: string): Digest | undefined {
  const [, algorithm = "", hex = ""] = /^([a-z0-9]+):([0-9a-f]+)$/.exec(text) ?? [];
  return isAlgorithm(algorithm) && hex.length === digits[algorithm] ? { text, algorithm, hex } : undefined;
}

/** @throws Refusal for a text that is no digest. */
export function digestFrom(text: string): Digest {
  const digest = digestIn(text);
  if (digest) return digest;
  throw new Refusal(400, "DIGEST_INVALID", `${shown(text)} is no digest: it takes sha256: and 64, or sha512: and 128 hexadecimal digits`);
}

/** @throws Refusal for an algorithm that is not taken. */
export function algorithmFrom(text: string): Algorithm {
  if (isAlgorithm(text)) return text;
  throw new Refusal(400, "DIGEST_INVALID", `there is no algorithm ${shown(text)} here: it takes ${Object.keys(digits).join(" or ")}`);
}

export function digestOf(algorithm: Algorithm, hex: string): Digest {
  return { text: `${algorithm}:${hex}`, algorithm, hex };
}

/** The beginning of a text that somebody has sent. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
