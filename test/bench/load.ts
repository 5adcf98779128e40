import { connect, type Socket } from "node:net";

export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds within which 99 of 100 answers came. */
  readonly slowest: number;
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What an answer has to have in it. */
  readonly expected: string;
}

/**
 * Sends the same request again and again on so many connections, each as soon as there is an answer to the one before, for so many
 * milliseconds. The bytes go over sockets as they are: an HTTP client that works as much as the server, on the same processors, would
 * measure itself.
 */
export async function loaded(
  url: string,
  { headers, body, expected }: Sent,
  { connections = 32, milliseconds = 2000 } = {},
): Promise<Load> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body) }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from(["POST / HTTP/1.1", ...lines, "", body].join("\r\n"));
  const times: number[] = [];
  const begun = performance.now();
  const client = async () => {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    while (performance.now() - begun < milliseconds) {
      const sent = performance.now();
      socket.write(request);
      const text = await answerOn(socket);
      times.push(performance.now() - sent);
      if (!text.includes(expected)) throw new Error(`${expected} is not in the answer ${text}`);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = performance.now() - begun;
  const sorted = times.toSorted((one, other) => one - other);
  return { rate: (times.length / elapsed) * 1000, slowest: sorted[Math.floor(sorted.length * 0.99)] ?? NaN };
}

/** The next answer, once its body has the length that its head tells. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const fail = (error?: unknown) => {
      reject(new Error(`the connection ended after ${JSON.stringify(text)}`, { cause: error }));
    };
    const more = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
      if (head < 0 || length === undefined || text.length < head + 4 + Number(length)) return;
      socket.off("data", more).off("error", fail).off("close", fail);
      resolve(text);
    };
    socket.on("data", more).on("error", fail).on("close", fail);
  });
}
