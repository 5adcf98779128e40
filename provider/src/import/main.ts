import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Cloud, listed, PlatformError } from "@container-platform/sdk";
import { commandOf, connected, connectionOptions, print, run, Session, UsageError } from "@container-platform/sdk/cli";
import { usersInLog } from "../resources/cluster/permissions/permission-events.ts";
import { stateOfHere } from "./already.ts";
import { findResources } from "./find-resources.ts";
import { listOrDeleteOrphans, orphanOptions } from "./orphans.ts";
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
    vpc: {
      value: "ID",
      summary: "Declare these VPCs, their contained resources and the security groups in use. Separate IDs with commas.",
    },
    tag: {
      value: "KEY=VALUE",
      summary: "Declare the resources with this tag, or with this key, and their contained resources that take no tags.",
    },
    id: { value: "ID", summary: "Declare these resources, such as subnet-5d20b7c4,cls-3f8a0c1e/public." },
    user: {
      value: "UIN",
      summary: "Declare the permissions of these sub-accounts, besides those in the audit log. Separate UINs with commas.",
    },
    out: { value: "FILE", summary: "Write the program to this file, which must not exist. Default: standard output." },
    json: { summary: "Instead of a program, write a file for `pulumi import --file`, for resources of the native plugin." },
    adopted: { summary: "Leave out the import options, for a stack that has already imported the resources." },
    ...orphanOptions,
    ...stackOptions,
    ...connectionOptions,
  },
  more: `Prints a TypeScript program that declares the resources of a region: all of them, or the resources that --vpc, --tag and --id select.
\`pulumi up\` imports the declared resources and changes none of them. With --json, the command prints a file instead: \`pulumi import --file\`
imports its resources for the native plugin, and writes the program in the language of the project.

In the folder of a Pulumi program, the command connects to the endpoint and region in the stack's configuration. Options and environment
variables override the configuration, which overrides the credentials file. The command also reads the state of the stack, and reports
the resources that the state already contains. With --orphans, the command writes no program.

Exit codes:
  0    The command succeeded. With --orphans: no orphans remain.
  1    With --orphans: orphans remain.
  130  Control-C interrupted the command.
  252  An option is wrong, the file already exists, or there is no resource to declare.
  253  Endpoint, region, profile or credentials are missing or malformed.
  254  The API rejected a request, such as one for a region that does not exist.
  255  Another error occurred, such as a timeout.
`,
} as const;

const command = commandOf(syntax, async ({ given }, session) => {
  const [vpcs, ids, users] = [itemsIn(given.vpc), itemsIn(given.id), itemsIn(given.user)];
  if (given.orphans) {
    const others = (["vpc", "tag", "user", "out", "adopted", "json"] as const).filter((name) => given[name] !== undefined);
    if (others.length > 0)
      throw new UsageError(
        `${listed(others.map((name) => `--${name}`))} ${others.length === 1 ? "is" : "are"} about a program, and --orphans writes none`,
      );
    if (await listOrDeleteOrphans(given, ids, session)) process.exitCode = 1;
    return;
  }
  if (given.delete) throw new UsageError("--delete belongs to --orphans");
  if (given.json && given.adopted) throw new UsageError("--adopted is about a program, and --json writes none");
  refuseToWrite(given.out);
  const heldHere = given.adopted ? undefined : stateOfHere(given.stack);
  await using connection = await connected(given, session, { mustExist: true, configured: await configuredByStack(given, session) });
  const { cloud } = connection;
  const place = placeOf(connection);
  const all = await findResources(cloud, [...users, ...(await usersOf(cloud, session))], (why) => session.say(why));
  const resources = selectResources(all, { vpcs, ids, tag: given.tag }, referencesTo(all), cloud.region);
  if (resources.length === 0)
    throw new UsageError(`there is nothing in ${place}${given.tag === undefined ? "" : ` with the tag ${given.tag}`}`);
  const { text, problems } = given.json ? importFileOf(resources) : programOf(resources, cloud.region, !given.adopted);
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
