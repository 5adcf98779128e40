import { spawn } from "node:child_process";
import { z } from "zod";
import { ConfigurationError } from "../operation/errors.ts";
import { type CredentialSource, renewed, type Temporary } from "./credential-source.ts";
import { jsonIn } from "../formats/texts.ts";

const form = z.object({
  secretId: z.string().min(1),
  secretKey: z.string().min(1),
  token: z.string().min(1).optional(),
  expiration: z.iso.datetime({ offset: true }).optional(),
});

/** New credentials are asked for so many milliseconds before the old ones expire. */
const early = 60_000;
/** A program that takes longer, in milliseconds, is stopped. */
const longest = 60_000;

/**
 * Credentials that a program prints, as `{"secretId", "secretKey", "token", "expiration"}`; the last two may be left out. The program
 * runs in the system's shell: once, and again when the credentials are about to expire. Errors never show what it printed.
 */
export function credentialsPrintedBy(command: string): CredentialSource {
  return renewed(() => printedBy(command));
}

async function printedBy(command: string): Promise<Temporary> {
  const output = await run(command);
  const parsed = form.safeParse(jsonIn(output));
  if (!parsed.success)
    throw new ConfigurationError(
      'credentialProcess: the program has to print {"secretId": "…", "secretKey": "…"}, and may add token and expiration',
    );
  const { expiration, token, ...keys } = parsed.data;
  const end = expiration === undefined ? Infinity : Date.parse(expiration);
  return { credentials: { ...keys, token }, renewal: end - early, end };
}

/** The program's messages to people go to this process's stderr. */
function run(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "inherit"], timeout: longest, windowsHide: true });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) => {
      reject(new ConfigurationError(`credentialProcess: the program cannot be run: ${error.message}`));
    });
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new ConfigurationError(`credentialProcess: the program ended with ${signal ?? `code ${code ?? "none"}`}`));
    });
  });
}
