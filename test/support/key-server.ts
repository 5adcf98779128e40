import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/**
 * `node key-server.ts`: encrypts the keys of stacks, as HashiCorp Vault does for teams. It hides nothing: a key lies beside its state.
 * Prints its address. Ends when its standard input ends.
 */
const prefix = "vault:v1:";

/** `transit/encrypt` and `transit/decrypt`. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await text(request));
  const plaintext = field(body, "plaintext");
  const data =
    plaintext === undefined ? { plaintext: field(body, "ciphertext")?.slice(prefix.length) } : { ciphertext: prefix + plaintext };
  response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
}

function field(body: unknown, name: string): string | undefined {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : undefined;
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}`);
});
process.stdin.once("end", () => process.exit()).resume();
