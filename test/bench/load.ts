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
  /** What an answer may have in it instead: a failure of the server's own, which counts as an answer. */
  readonly failing?: string;
}

/**
 * Sends requests on so many connections, each as soon as there is an answer to the one before, for so many milliseconds. The bytes go
 * over sockets as they are: an HTTP client that works as much as the server, on the same processors, would measure itself.
 *
 * @param sent the request; or what makes the next one, where each has to differ
 */
export async function loaded(url: string, sent: Sent | (() => Sent), { connections = 32, milliseconds = 2000 } = {}): Promise<Load> {
  const place = { port: Number(new URL(url).port), host: new URL(url).hostname, noDelay: true };
  const next = typeof sent === "function" ? () => prepared(sent()) : always(prepared(sent));
  const times: number[] = [];
  const begun = performance.now();
  const client = async () => {
    let socket: Socket | undefined;
    while (performance.now() - begun < milliseconds) {
      const { bytes, expected, failing } = next();
      const before = performance.now();
      socket ??= connect(place);
      socket.write(bytes);
      const text = await answerOn(socket);
      times.push(performance.now() - before);
      if (!text.includes(expected) && (failing === undefined || !text.includes(failing)))
        throw new Error(`${expected} is not in the answer ${text}`);
      if (/\r\nconnection: close\r\n/i.test(text)) socket = void socket.destroy();
    }
    socket?.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = performance.now() - begun;
  const sorted = times.toSorted((one, other) => one - other);
  return { rate: (times.length / elapsed) * 1000, slowest: sorted[Math.floor(sorted.length * 0.99)] ?? NaN };
}

interface Prepared extends Omit<Sent, "headers" | "body"> {
  readonly bytes: Buffer;
}

function prepared({ headers, body, ...told }: Sent): Prepared {
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body) }).map(([name, value]) => `${name}: ${value}`);
  return { bytes: Buffer.from(["POST / HTTP/1.1", ...lines, "", body].join("\r\n")), ...told };
}

function always<T>(value: T): () => T {
  return () => value;
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
