import { categories } from "../../sdk/src/served/registries/requirements/requirements.fixture.ts";
import { guide } from "../../test/provider/guide.ts";
import { proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { referenceTo, type Statement, statements } from "../../test/specification/statements.ts";
import { elsewhere, partly, untestable, type Unproven } from "../../test/specification/unproven.ts";
import { page, table } from "./markdown.ts";

/** The page that lists the tests that prove each statement of the specification. */
export function conformancePage(): string {
  const stated = statements();
  const sections = [...new Set(stated.map(({ section }) => section))];
  const proven = stated.filter((statement) => testsOf(statement).length > 0).length;
  return page(
    "# Conformance with the specification",
    "Look up the tests that prove each statement of the [specification](specification.md).",
    "`npm run fix` writes this page from `test/specification`. A statement is a row of a table, a rule, a point or a paragraph. Parts that the specification marks as not shown are excluded.",
    `${proven} of the ${stated.length} statements are proven by ${proofs.length} tests, each in process and over HTTP. ${proofs.length - publicOtherwise.length} of the ${proofs.length} tests also pass in the format of the [public API](public-api-coverage.md), with this project's client and with the vendor's client. ${countOf(elsewhere)} statements are tested elsewhere, and ${countOf(untestable)} cannot be tested.`,
    "## Tests",
    table(
      ["Number", "Test"],
      proofs.map(({ title }, index) => [String(index + 1), title]),
    ),
    ...sections.flatMap((section) => [
      `## ${headingOf(section)}`,
      table(
        ["Statement", "Tests"],
        stated.filter((statement) => statement.section === section).map((statement) => [nameOf(statement), shownBy(statement)]),
      ),
    ]),
  );
}

/** The innermost part of a section's name, without a remark in brackets. */
function headingOf(section: string): string {
  if (section === "What the service does") return "Scope of the service";
  return (section.split(" / ").at(-1) ?? section).replace(/ \(.*\)$/, "");
}

/** The numbers of the tests of a statement. */
function testsOf(statement: Statement): number[] {
  return proofs.flatMap(({ shows }, index) => (shows.includes(referenceTo(statement)) ? [index + 1] : []));
}

function shownBy(statement: Statement): string {
  const tests = testsOf(statement).join(", ");
  const reason = reasonIn([...partly, ...untestable, ...elsewhere], statement);
  return [tests, ...(reason === undefined ? [] : [`Not tested here: ${reason}`])].filter((part) => part !== "").join(". ");
}

function reasonIn(list: readonly Unproven[], statement: Statement): string | undefined {
  return list.find((entry) => entry.statements.includes(referenceTo(statement)))?.reason;
}

function countOf(list: readonly Unproven[]): number {
  return list.flatMap((entry) => entry.statements).length;
}

/** How many characters of a rule are shown, which is enough to recognise it. */
const enough = 70;

/** The name of a statement. Rows of tables have names; of other statements, the beginning is shown. */
function nameOf({ name, text }: Statement): string {
  if (!/^(rule|point|paragraph) /.test(name)) return escaped(name);
  const words = text.length <= enough ? text : `${text.slice(0, text.lastIndexOf(" ", enough))} …`;
  return `${name}: ${escaped(words)}`;
}

/** A text whose angle brackets are escaped, because they are placeholders and no tags. */
function escaped(text: string): string {
  return text.replaceAll("<", "&lt;");
}

/** The page that lists the requirements of the distribution specification, each of which a test shows. */
export function distributionPage(): string {
  const count = categories.flatMap(({ requirements }) => requirements).length;
  return page(
    "# Conformance with the distribution specification",
    "Look up the requirements of the [distribution specification](https://github.com/opencontainers/distribution-spec/blob/main/spec.md) of the Open Container Initiative that the registries of the emulator meet.",
    `\`npm run fix\` writes this page from \`sdk/src/served/registries/requirements\`. Each of the ${count} rows is a test that sends HTTP requests to [a served registry](../guides/emulator-registries.md). Numbers such as end-3 are endpoints of the specification.`,
    ...categories.flatMap(({ name, requirements }) => [
      `## ${name}`,
      table(
        ["Requirement"],
        requirements.map(({ says }) => [says]),
      ),
    ]),
  );
}

/** The page that lists what Pulumi's guide asks of a provider, and the tests that hold it. */
export function providerGuidePage(): string {
  const heldBy = (by: (typeof guide)[number]["by"]): string => {
    if (by === "engine") return "Binds the engine";
    return "not" in by ? `**Does not hold.** ${by.not}` : by.map(({ file, title }) => `\`${file}\`: ${title.trim()} …`).join("<br>");
  };
  return page(
    "# Conformance with Pulumi's guide for providers",
    `Look up what [Pulumi's guide](https://github.com/pulumi/pulumi/blob/v3.259.0/docs/architecture/providers/implementers-guide.md) says that a provider must do, and the tests that hold it.`,
    `\`npm run fix\` writes this page from \`test/provider/guide.ts\`. Each of the ${guide.length} rows is a sentence with "must". Tests in \`test/provider\` run with the dynamic provider and with the plugin, for every resource type.`,
    table(
      ["Section", "Sentence", "Held by"],
      guide.map(({ section, says, by }) => [section, says, heldBy(by)]),
    ),
  );
}
