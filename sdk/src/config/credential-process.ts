import { spawn } from "node:child_process";
import { z } from "zod";
import type { Credentials, CredentialSource } from "./credential-source.ts";
import { ConfigurationError } from "../operation/errors.ts";

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
  let printed: Promise<Credentials> | undefined;
  let until = 0;
  return () => {
    if (!printed || Date.now() >= until) {
      // All calls that need credentials while the program runs wait for the same run.
      until = Infinity;
      printed = printedBy(command).then(
        (found) => {
          until = found.until;
          return found.credentials;
        },
        (error: unknown) => {
          until = 0;
          throw error;
        },
      );
    }
    return printed;
  };
}

async function printedBy(command: string): Promise<{ credentials: Credentials; until: number }> {
  const output = await run(command);
  const parsed = form.safeParse(jsonIn(output));
  if (!parsed.success)
    throw new ConfigurationError(
      'credentialProcess: the program has to print {"secretId": "…", "secretKey": "…"}, and may add token and expiration',
    );
  const { expiration, token, ...keys } = parsed.data;
  return { credentials: { ...keys, token }, until: expiration === undefined ? Infinity : Date.parse(expiration) - early };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
