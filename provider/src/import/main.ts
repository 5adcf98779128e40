import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Cloud, listed, PlatformError } from "@container-platform/sdk";
import { commandOf, connected, connectionOptions, print, run, Session, UsageError } from "@container-platform/sdk/cli";
import { usersInLog } from "../resources/cluster/permissions/permission-events.ts";
import { stateOfHere } from "./already.ts";
import { findResources } from "./find-resources.ts";
import { leftoverOptions, leftovers } from "./leftovers.ts";
import { placeOf } from "./place.ts";
import { importFileOf, programOf } from "./program.ts";
import { referencesTo } from "./references.ts";
import { selectResources } from "./selection.ts";
import { configuredByStack, stackOptions } from "./stack.ts";

const program = "container-platform-import";

const syntax = {
  name: program,
  alone: true,
  options: {
    vpc: { value: "ID", summary: "VPCs, joined by commas: each with everything in it, and the security groups that this uses." },
    tag: {
      value: "KEY=VALUE",
      summary: "Resources with this tag or, without a value, this key; with those that belong to them and take no tags.",
    },
    id: { value: "ID", summary: "Single resources, joined by commas, such as subnet-5d20b7c4 or cls-3f8a0c1e/public." },
    user: { value: "UIN", summary: "Sub-accounts whose permissions are declared, joined by commas, besides those in the audit log." },
    out: { value: "FILE", summary: "File that the program is written into; it must not exist yet. Without it, the program is printed." },
    json: { summary: "Writes what `pulumi import --file` takes, for resources of the native plugin, instead of a program." },
    adopted: { summary: "Leaves out the import options: the same program for a stack that has imported everything." },
    ...leftoverOptions,
    ...stackOptions,
    ...connectionOptions,
  },
  more: `Prints the TypeScript program that declares the resources of a region: all of them, or those that --vpc, --tag and --id select.
\`pulumi up\` of it imports everything and changes nothing. With --json, it prints the file from which \`pulumi import --file\` imports
them as resources of the native plugin, and writes the program in the language of the project.

In the folder of a stack's program, it reads where the stack's configuration says, unless an option or the environment does; a profile
comes last. It reads the state of that stack, too, and names the resources that are in it already; with --leftovers, it writes no program.

Exit codes: 0 done; 1 with --leftovers, something is left; 130 Control-C; 252 a wrong option, a file that is
there already, or nothing to declare; 253 endpoint, region, profile or credentials are missing, or have a wrong form; 254 the platform refused
a call, such as one for a region that it does not have; 255 anything else, such as no answer.
`,
} as const;

const command = commandOf(syntax, async ({ given }, session) => {
  const [vpcs, ids, users] = [itemsIn(given.vpc), itemsIn(given.id), itemsIn(given.user)];
  if (given.leftovers) {
    const others = (["vpc", "tag", "user", "out", "adopted", "json"] as const).filter((name) => given[name] !== undefined);
    if (others.length > 0)
      throw new UsageError(
        `${listed(others.map((name) => `--${name}`))} ${others.length === 1 ? "is" : "are"} about a program, and --leftovers writes none`,
      );
    if (await leftovers(given, ids, session)) process.exitCode = 1;
    return;
  }
  if (given.delete) throw new UsageError("--delete belongs to --leftovers");
  if (given.json && given.adopted) throw new UsageError("--adopted is about a program, and --json writes none");
  refuseToWrite(given.out);
  const heldHere = given.adopted ? undefined : stateOfHere(given.stack);
  await using connection = await connected(given, session, { mustExist: true, configured: await configuredByStack(given, session) });
  const { cloud } = connection;
  const place = placeOf(connection);
  const all = await findResources(cloud, [...users, ...(await usersOf(cloud, session))], (why) => {
    session.say(why);
  });
  const resources = selectResources(all, { vpcs, ids, tag: given.tag }, referencesTo(all), cloud.region);
  if (resources.length === 0)
    throw new UsageError(`there is nothing in ${place}${given.tag === undefined ? "" : ` with the tag ${given.tag}`}`);
  const { text, problems } = given.json
    ? importFileOf(resources)
    : programOf(resources, { region: cloud.region, withImport: !given.adopted });
  write(text, given.out);
  for (const problem of problems) session.say(`\`pulumi up\` will refuse this until it is changed: ${problem}`);
  for (const held of (await heldHere?.(resources, cloud.region)) ?? []) session.say(held);
  const done = given.json ? "listed" : "declared";
  session.say(`${resources.length} of ${all.length} resources in ${place} are ${done}${given.out === undefined ? "" : ` in ${given.out}`}`);
});

await run(program, (args) => command(args, new Session(program)));

/** The users in the audit log: the platform does not list who has permissions. */
async function usersOf(cloud: Cloud, session: Session): Promise<readonly string[]> {
  try {
    return await usersInLog(cloud);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== "unauthorized") throw error;
    session.say(`the audit log cannot be read (${error.code}): only the permissions of the users of --user are declared`);
    return [];
  }
}

function itemsIn(text = ""): readonly string[] {
  return text.split(",").filter((word) => word !== "");
}

function refuseToWrite(file: string | undefined): void {
  if (file === undefined) return;
  if (existsSync(file)) throw new UsageError(`--out: ${file} is there already, and is not overwritten`, "Remove it, or name another file.");
  const folder = dirname(resolve(file));
  if (existsSync(folder)) return;
  throw new UsageError(`--out: ${file} cannot be written: there is no folder ${folder}`, "Make the folder first, or name another file.");
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
    throw new UsageError(`--out: ${file} cannot be written: ${reason}`, "Name another file.");
  }
}
