import { writeFileSync } from "node:fs";
import { type Cloud, PlatformError } from "@container-platform/sdk";
import { commandOf, connected, connectionOptions, print, run, Session, UsageError } from "@container-platform/sdk/cli";
import { usersInLog } from "../resources/cluster/permission-events.ts";
import { foundIn } from "./found.ts";
import { programOf } from "./program.ts";
import { referencesTo } from "./references.ts";
import { selected } from "./selection.ts";

const program = "container-platform-import";

const syntax = {
  name: program,
  alone: true,
  options: {
    vpc: { value: "ID", summary: "VPCs, joined by commas: with all that is in them, and the security groups that it uses." },
    tag: { value: "KEY=VALUE", summary: "What has this tag or, without a value, this key; with what belongs to it and takes no tags." },
    id: { value: "ID", summary: "Single things, joined by commas, such as subnet-5d20b7c4 or cls-3f8a0c1e/public." },
    user: { value: "UIN", summary: "Sub-accounts whose permissions are declared, joined by commas, besides those in the audit log." },
    out: { value: "FILE", summary: "File that the program is written into; it must not be there yet. Unless given, it is printed." },
    adopted: { summary: "Without import options: the same program for a stack that has adopted everything." },
    ...connectionOptions,
  },
  more: `Prints the TypeScript program that declares what a region holds: all of it, or what --vpc, --tag and --id choose together.
\`pulumi up\` of it adopts everything and changes nothing.
`,
} as const;

const command = commandOf(syntax, async ({ given }, session) => {
  const [vpcs, ids, users] = [listed(given.vpc), listed(given.id), listed(given.user)];
  await using connection = await connected(given, session);
  const { cloud } = connection;
  const all = await foundIn(cloud, [...users, ...(await usersOf(cloud, session))], (why) => {
    session.say(why);
  });
  const things = selected(all, { vpcs, ids, tag: given.tag }, referencesTo(all), cloud.region);
  if (things.length === 0)
    throw new UsageError(`there is nothing in ${cloud.region}${given.tag === undefined ? "" : ` with the tag ${given.tag}`}`);
  const { text, complaints } = programOf(things, { region: cloud.region, adopting: !given.adopted });
  write(text, given.out);
  for (const complaint of complaints) session.say(`\`pulumi up\` will refuse this until it is changed: ${complaint}`);
  session.say(
    `${things.length} of ${all.length} things in ${cloud.region} are declared${given.out === undefined ? "" : ` in ${given.out}`}`,
  );
});

await run(program, (args) => command(args, new Session(program)));

/** Nothing lists who has permissions. */
async function usersOf(cloud: Cloud, session: Session): Promise<readonly string[]> {
  try {
    return await usersInLog(cloud);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== "unauthorized") throw error;
    session.say(`the audit log cannot be read (${error.code}): only users that --user names are looked at for permissions`);
    return [];
  }
}

function listed(text = ""): readonly string[] {
  return text.split(",").filter((word) => word !== "");
}

function write(text: string, file: string | undefined): void {
  if (file === undefined) {
    print(text);
    return;
  }
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--out: ${file} cannot be written: ${reason}`, "What is there already is not overwritten: name another file.");
  }
}
