import type { IncomingMessage } from "node:http";

/**
 * Reads what a request carries: `too large` beyond so many bytes, `gone` where the client went away before the end. The rest of
 * what is too large is read and forgotten, so that the client gets to reading its answer; a client that goes on and on is cut off.
 */
export function bodyOf(request: IncomingMessage, most: number): Promise<Uint8Array | "too large" | "gone"> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers["content-length"]) > most) resolve("too large");
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve("too large");
      if (size > 2 * most) request.destroy();
    });
    request.once("end", () => {
      resolve(Buffer.concat(chunks));
    });
    request.once("error", () => {
      resolve("gone");
    });
    request.once("close", () => {
      resolve("gone");
    });
  });
}
