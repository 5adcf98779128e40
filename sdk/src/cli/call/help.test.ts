import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogue } from "../../catalogue/every-operation.ts";
import { fieldsIn } from "../../operation/fields.ts";
import { splitUp, takesOf } from "../command/arguments.ts";
import { Program } from "../program.fixture.ts";
import { exampleOf } from "./example.ts";
import { detailedHelp } from "./help.ts";
import { inputFrom } from "./input.ts";
import { callOptions } from "./options.ts";
import { Session } from "../run/session.ts";

const program = new Program();
const session = new Session();

beforeAll(() => {
  session.leaveInterrupts();
});

afterAll(() => program.remove());

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
  await inputFrom(operation, line, { unfolding: false, file: undefined }, session);
});

const usual = { code: 0, stderr: "" };

test.each<[args: string[], says: RegExp]>([
  [[], /^Usage: cpcli <product> <Action> [^]*\n {2}cluster [^]*\n {2}serve [^]*\n {2}--region REGION [^]*\ncpcli <product> help lists/],
  [["help"], /^Usage: cpcli <product> <Action> /],
  [
    ["vpc", "help"],
    /^Usage: cpcli vpc <Action> [^]*\n {2}AssignIpv6CidrBlock +Assigns an IPv6 block [^]*\n {2}UnassignIpv6SubnetCidrBlock /,
  ],
  [["cluster", "--help"], /\n {2}DescribeClusterInstances --version 2018-05-25 +[^]*\n {2}DescribeClusterInstances --version 2022-05-01 /],
  [["vpc", "CreateVpc", "help"], /^Usage: cpcli vpc CreateVpc [^]*\n {2}--VpcName {2}string, required\n[^]*help --detail tells values/],
  [["vpc", "CreateVpc", "help", "--detail"], /\nParameters:\n {2}--VpcName {2}string, required\n {6}Name, 1 to 60 characters\.\n/],
  [["cluster", "DescribeClusterInstances", "--version", "2022-05-01", "-h"], /\n {2}--SortBy {2}object\n/],
  [
    ["cluster", "RotateClusterToken", "help", "--detail"],
    /\nIt takes no parameters\.\n\nThe client does not offer ClusterId, which the platform takes\.\n/,
  ],
])("cpcli %j", async (args, says) => {
  const { stdout, ...ended } = await program.run(args);
  expect(ended).toEqual(usual);
  expect(stdout).toMatch(says);
});

test.each<[args: string[], says: RegExp]>([
  [["vpc"], /^cpcli: cpcli vpc takes an action\n`cpcli vpc help` lists the actions\.\n$/],
  [["--debug"], /^cpcli: cpcli takes a product and an action, or a command\n/],
  [["vpc", "DescribeVpcs", "all"], /^cpcli: Unknown options: all\n/],
  [["--region", "eu-frankfurt", "list"], /^cpcli: the options of list follow it: cpcli list \[options\]\n$/],
])("cpcli %j says what is missing", async (args, says) => {
  const { code, stdout, stderr } = await program.run(args);
  expect([code, stdout]).toEqual([252, ""]);
  expect(stderr).toMatch(says);
});
