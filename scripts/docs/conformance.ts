import { categories } from "../../sdk/src/served/registries/requirements/requirements.fixture.ts";
import { guide } from "../../test/provider/guide.ts";
import { proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { referenceTo, type Statement, statements } from "../../test/specification/statements.ts";
import { elsewhere, partly, untestable, type Unproven } from "../../test/specification/unproven.ts";
import { page, table } from "./markdown.ts";

/** The tests that prove each statement of the specification. */
export function conformanceParts() {
  const stated = statements();
  const sections = [...new Set(stated.map(({ section }) => section))];
  const proven = stated.filter((statement) => testsOf(statement).length > 0).length;
  return {
    numbers: `${proven} of the ${stated.length} statements are proven by ${proofs.length} tests, each in process and over HTTP. ${proofs.length - publicOtherwise.length} of the ${proofs.length} tests also pass in the format of the [public API](public-api-coverage.md), with this project's client and with the vendor's client. ${countOf(elsewhere)} statements are tested elsewhere, and ${countOf(untestable)} cannot be tested.`,
    tests: table(
      ["Number", "Test"],
      proofs.map(({ title }, index) => [String(index + 1), title]),
    ),
    statements: page(
      ...sections.flatMap((section) => [
        `## ${headingOf(section)}`,
        table(
          ["Statement", "Tests"],
          stated.filter((statement) => statement.section === section).map((statement) => [nameOf(statement), shownBy(statement)]),
        ),
      ]),
    ),
  };
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
  const unproven = [...partly, ...untestable, ...elsewhere].find((entry) => entry.statements.includes(referenceTo(statement)));
  return [tests, unproven && `Not tested here: ${unproven.reason}`].filter(Boolean).join(". ");
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

/** The requirements of the distribution specification, each of which a test shows. */
export function distributionParts() {
  const sections = categories.flatMap(({ name, requirements }) => [
    `## ${name}`,
    table(
      ["Requirement"],
      requirements.map(({ says }) => [says]),
    ),
  ]);
  return { requirements: page(...sections) };
}

/** What Pulumi's guide asks of a provider, and the tests that hold it. */
export function providerGuideParts() {
  const heldBy = (by: (typeof guide)[number][2]): string => {
    if (by === "engine") return "Binds the engine";
    return "not" in by ? `**Does not hold.** ${by.not}` : by.map(({ file, title }) => `\`${file}\`: ${title.trim()} …`).join("<br>");
  };
  return {
    sentences: table(
      ["Section", "Sentence", "Held by"],
      guide.map(([section, says, by]) => [section, says, heldBy(by)]),
    ),
  };
}
