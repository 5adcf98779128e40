import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { z } from "zod";
import { commands } from "./commands.ts";
import { exitCodeOf, exitCodes, paragraphOf, print, Session, tell } from "./run.ts";

/**
 * Carries out command lines as `cpcli` does, one after the other. Each line of the standard input has the words of one, with its
 * folder, its environment and what it reads. The output of each ends with a NUL; on stdout, its exit code and another NUL follow.
 */

const job = z.object({ args: z.array(z.string()), cwd: z.string(), env: z.record(z.string(), z.string()), input: z.string() });

async function carriedOut(args: readonly string[], session: Session): Promise<void> {
  const [name = "", ...others] = args;
  const command = commands.get(name);
  const work = await (command ? command.load() : import("./call/call.ts").then(({ runCall }) => runCall));
  await work(command ? others : args, session);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd, env, input } = job.parse(JSON.parse(line));
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  const session = new Session();
  const code = await carriedOut(args, session).then(
    () => exitCodes.done,
    (error: unknown) => {
      tell(paragraphOf(error, "cpcli"));
      return exitCodeOf(error);
    },
  );
  session.leaveInterrupts();
  tell("\0");
  print(`\0${code}\0`);
}
process.exit();
