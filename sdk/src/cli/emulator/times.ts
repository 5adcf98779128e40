import { UsageError } from "../run/failures.ts";

/** A moment in milliseconds since 1970. */
export function momentFrom(option: string, text: string): number {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (Number.isFinite(moment)) return moment;
  throw new UsageError(`${option} is ${text}; it takes a time of ISO 8601, such as 2026-01-31T12:00:00Z`);
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Milliseconds of a text such as `1h30m`. */
export function durationFrom(option: string, text: string): number {
  const isWhole = new RegExp(`^(?:${part.source})+$`).test(text);
  if (!isWhole) throw new UsageError(`${option} is ${text}; it takes a duration such as 90s, 31m, 1h30m or 2d`);
  return [...text.matchAll(part)].reduce((sum, [, count, unit]) => sum + Number(count) * (isUnit(unit) ? units[unit] : 0), 0);
}

function isUnit(text: string | undefined): text is keyof typeof units {
  return text !== undefined && Object.hasOwn(units, text);
}
