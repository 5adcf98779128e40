import { afterAll, expect, test } from "vitest";
import { catalogue } from "../../catalogue/every-operation.ts";
import { lookUpEvents } from "../../catalogue/audit.ts";
import { createClusterEndpoint } from "../../catalogue/cluster.ts";
import { LocalPlatform } from "../../local/platform.ts";
import { World } from "../../local/store/world.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { PlatformError } from "../../operation/errors.ts";
import { fieldsIn } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { splitUp, takesOf } from "../command.ts";
import { detailedHelp, exampleOf } from "./help.ts";
import { inputFrom } from "./parameters.ts";
import { callOptions } from "./products.ts";
import { Session } from "../run.ts";
import { expectTold, type Told, User } from "../user.fixture.ts";

const session = new Session();
session.leaveInterrupts();
const world = World.open(":memory:", { timeScale: "instant" });

afterAll(() => world.close());

/** Splits a command line into words as a shell does: without quotes, and without line ends after a backslash. */
function words(line: string): string[] {
  const parts = line.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|[^\s'])+/g);
  return [...parts].map(([word]) => word.replaceAll("'", ""));
}

test.for(catalogue)("help --detail of $product $action $version tells all, and its example is an input", async (operation) => {
  const help = detailedHelp(operation, undefined);
  for (const { path, type, limits, required, exposed, values, description } of fieldsIn(operation.input)) {
    const head = [type, limits, required && "required"].filter(Boolean).join(", ");
    const line = `  --${path.replaceAll("[]", ".N")}  ${head}\n`;
    expect(help.includes(line), line).toBe(exposed);
    for (const value of values) expect(help).toContain(value);
    expect(help.replaceAll("`", "")).toContain(description.replaceAll("`", "").slice(0, exposed ? undefined : 0));
  }
  for (const { path, type } of fieldsIn(operation.output)) expect(help).toContain(`  ${path}  ${type}`);
  for (const code of [...operation.errors, ...operation.remoteErrors]) expect(help).toContain(code);
  const [, product, action, ...args] = words(exampleOf(operation, undefined));
  expect([product, action]).toEqual([operation.product, operation.action]);
  const line = splitUp(args, takesOf(callOptions));
  const body = await inputFrom(operation, line, { unfolding: false, file: undefined }, session);
  // The client does not offer what RotateClusterToken needs.
  const refusal = action === "RotateClusterToken" ? /^MissingParameter: ClusterId is required$/ : /^(?!MissingParameter)/;
  expect(await answerTo(operation, body)).toMatch(refusal);
});

/** What the platform says to a call in a world without anything. */
function answerTo({ product, action, version }: Operation, body: JsonObject): Promise<string> {
  return new LocalPlatform(world).send({ product, action, version, region: "eu-frankfurt", body }).then(
    () => "answered",
    (error: unknown) => (error instanceof PlatformError ? `${error.code}: ${error.reason}` : `MissingParameter? ${String(error)}`),
  );
}

test.each([
  [createClusterEndpoint, ["--ClusterId", "cls-3f8a0c1e", "--IsExtranet", "true", "--SecurityGroup", "<SecurityGroup>"]],
  [lookUpEvents, ["--StartTime", "1767182400", "--EndTime", "1767268800"]],
])("the example of $0.action has what the usual call needs", (operation, args) => {
  expect(words(exampleOf(operation, undefined)).slice(3)).toEqual(args);
});

test.each<Told>([
  ["", 0, /^Usage: cpcli <product> <Action> [^]*\n {2}cluster [^]*\n {2}serve [^]*\n {2}--region REGION [^]*\ncpcli <product> help lists/],
  ["help", 0, /^Usage: cpcli <product> <Action> /],
  ["vpc help", 0, /^Usage: cpcli vpc <Action> [^]*\n {2}AssignIpv6CidrBlock +Assigns an IPv6 block [^]*\n {2}UnassignIpv6SubnetCidrBlock /],
  ["cluster --help", 0, /\n {2}DescribeClusterInstances --version 2018-05-25 +[^]*\n {2}DescribeClusterInstances --version 2022-05-01 /],
  ["vpc CreateVpc help", 0, /^Usage: cpcli vpc CreateVpc [^]*\n {2}--VpcName {2}string, required\n[^]*help --detail prints values/],
  ["vpc CreateVpc help --detail", 0, /\nParameters:\n {2}--VpcName {2}string, required\n {6}Name, 1 to 60 characters\.\n/],
  ["cluster DescribeClusterInstances --version 2022-05-01 -h", 0, /\n {2}--SortBy {2}object\n/],
  ["cluster RotateClusterToken help --detail", 0, /\nNo parameters\.\n\nThe parameter ClusterId of the platform is not available here\.\n/],
  ["vpc", 252, /^cpcli: cpcli vpc takes an action\n`cpcli vpc help` lists the actions\.\n$/],
  ["--debug", 252, /^cpcli: cpcli takes a product and an action, or a command\n/],
  [
    "cluster RotateClusterToken --ClusterId cls-1",
    252,
    /^cpcli: Unknown options: --ClusterId\nThe client does not offer that parameter of RotateClusterToken\. /,
  ],
  [
    "cluster CreateNodePool --cli-unfold-argument --ClusterId cls-1 --Name a --Type Native --Native.Scaling.MinReplicas 1",
    252,
    /^cpcli: the following arguments are required: --Native\.SubnetIds, /,
  ],
  ["vpc DescribeVpcs all", 252, /^cpcli: Unknown options: all\n/],
  ["--region eu-frankfurt list", 252, /^cpcli: the options of list follow it: cpcli list \[options\]\n$/],
])("cpcli %s", (line, code, says) => expectTold(new User(), line, code, says));
