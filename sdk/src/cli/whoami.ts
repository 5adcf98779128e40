import { getCallerIdentity } from "../catalogue/identity.ts";
import { credentialsFor } from "../transport/connect.ts";
import { commandOf, connectionOptions } from "./command.ts";
import { connected, placeFrom } from "./connection.ts";
import { print } from "./run.ts";

const asking = {
  name: "whoami",
  options: connectionOptions,
  more: "Prints the endpoint, the source of the credentials, why earlier sources were not used, and the account that calls.\n",
} as const;

/** `cpcli whoami`. No secret is printed. */
export const runWhoami = commandOf(asking, async ({ given }, session) => {
  const { endpoint, source, region, access } = await placeFrom(given);
  const search = await credentialsFor(endpoint, access);
  const passed = (search?.passed ?? []).map(({ place, lacks }) => line("not taken", `${place}: ${lacks}`));
  const left = (search?.left ?? []).map((place) => line("not looked at", place));
  const taken = search ? (search.taken?.place ?? "none") : "none: calls of this endpoint are not signed";
  print(
    [line("endpoint", `${endpoint} (${source})`), line("region", region || "none"), line("credentials", taken), ...passed, ...left].join(
      "",
    ),
  );
  await using connection = await connected(given, session, { regional: false });
  const { accountId, userId } = await connection.cloud.call(getCallerIdentity, {}, { signal: session.signal });
  print([line("account", accountId), line("caller", userId)].join(""));
});

function line(name: string, value: string): string {
  return `${name.padEnd(14)} ${value}\n`;
}
