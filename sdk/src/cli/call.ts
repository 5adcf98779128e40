import { splitUp, takesOf } from "./arguments.ts";
import { commands } from "./commands.ts";
import { UsageError } from "./failures.ts";
import { sharedOptions } from "./options.ts";
import { overview } from "./overview.ts";
import { productTable } from "./products.ts";
import type { Session } from "./session.ts";
import { nearest } from "./suggestions.ts";

/** `cpcli <product> <Action>`: calls an operation. */
export function runCall(args: readonly string[], _session: Session): Promise<void> {
  const [name = "help"] = splitUp(args, takesOf(sharedOptions)).words;
  if (name === "help") process.stdout.write(overview());
  else throw unknownName(name);
  return Promise.resolve();
}

function unknownName(name: string): UsageError {
  const guess = nearest(name, [...Object.keys(productTable), ...commands.keys()]);
  return new UsageError(
    `there is no product and no command ${name}`,
    guess.length > 0 ? `Maybe you meant ${guess.join(", ")}.` : "`cpcli help` lists both.",
  );
}
