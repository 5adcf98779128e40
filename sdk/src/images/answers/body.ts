import { Refusal } from "../protocol/refusal.ts";

/**
 * The body of a request that may have so many bytes.
 *
 * @param what what it is, in words
 * @throws Refusal if it has more. The rest is read and dropped: many clients read no answer before they have sent all.
 */
export async function bodyOf(request: AsyncIterable<Uint8Array>, most: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > most) throw new Refusal(413, "SIZE_INVALID", `${what} has more than ${most} bytes`);
  return Buffer.concat(chunks);
}
