import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request: `too large` if it has more than `most` bytes, `gone` if the client closed the connection before its
 * end. The rest of a body that is too large is read and dropped, because a client reads its answer only after it has sent all. At
 * twice `most` bytes the connection is closed.
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
    // Not `once`, which wraps each of them: what is settled stays so.
    const gone = () => {
      resolve("gone");
    };
    request.on("end", () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
    request.on("error", gone).on("close", gone);
  });
}
