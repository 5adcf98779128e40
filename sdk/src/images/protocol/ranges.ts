import { Refusal } from "./refusal.ts";

/** A part of some bytes; both ends belong to it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The part that a `Range` header asks for; `undefined` for all: other units and several parts are answered with the whole (RFC 9110, 14.2). */
export function askedSpan(header: string | undefined, size: number): Span | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  if (first >= size || (from === "" && Number(to) === 0)) {
    const headers = { "content-range": `bytes */${size}` };
    throw new Refusal(416, "SIZE_INVALID", `the content has ${size} bytes, and none of those that Range asks for`, { headers });
  }
  return { first, last };
}

/** The part that a chunk is, by its `Content-Range`; `undefined` without one. */
export function chunkSpan(header: string | undefined): Span | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d+|\*))?$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first))
    throw new Refusal(
      400,
      "BLOB_UPLOAD_INVALID",
      `Content-Range is ${JSON.stringify(header)}; it takes the first and the last byte, as in 0-1023`,
    );
  return { first: Number(first), last: Number(last) };
}
