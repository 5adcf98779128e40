import { createInterface } from "node:readline";
import { z } from "zod";
import { runCall } from "./call/call.ts";
import { exitCodeOf, exitCodes, paragraphOf } from "./run/failures.ts";
import { print, tell } from "./output/print.ts";
import { Session } from "./run/session.ts";

/**
 * Calls operations as `cpcli` does, one command line after the other. Each line of the standard input has the words and the
 * environment of one command line. The output of each ends with a NUL; on stdout, its exit code and another NUL follow.
 */

const job = z.object({ args: z.array(z.string()), environment: z.record(z.string(), z.string()) });

for await (const line of createInterface({ input: process.stdin })) {
  const { args, environment } = job.parse(JSON.parse(line));
  for (const name of Object.keys(process.env)) if (name.startsWith("CONTAINER_PLATFORM_")) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
  const session = new Session();
  const code = await runCall(args, session).then(
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
