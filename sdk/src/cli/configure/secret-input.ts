import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "../run/failures.ts";
import { tell } from "../output/print.ts";

/** Reads secrets: typed at a terminal without an echo, or piped in with a line for each. */
export class SecretInput {
  #lines: string[] | undefined;

  /** @throws UsageError if there is none. */
  async read(name: string): Promise<string> {
    const given = process.stdin.isTTY ? await typed(name) : await this.#next();
    const secret = given.trim();
    if (secret !== "") return secret;
    throw new UsageError(
      `there is no ${name} on standard input`,
      `Pipe it in, a line for each secret, or type it at a terminal: \`cpcli configure set ${name}\`.`,
    );
  }

  async #next(): Promise<string> {
    this.#lines ??= (await text(process.stdin)).split("\n");
    return this.#lines.shift() ?? "";
  }
}

async function typed(name: string): Promise<string> {
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // From here on the terminal does not echo what is typed.
  tell(`${name} (not shown): `);
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  // In this mode, Control-C arrives as a key.
  lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await Promise.race([lines.question(""), ended]);
  } finally {
    lines.close();
    tell("\n");
  }
}
