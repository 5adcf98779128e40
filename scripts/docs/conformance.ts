import { allProofs, proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { referenceTo, type Statement, statements } from "../../test/specification/statements.ts";
import { elsewhere, partly, untestable, type Unproven } from "../../test/specification/unproven.ts";
import { page, table } from "./markdown.ts";

/** The page that lists which tests prove each statement of the specification, by file name. */
export function conformancePages(): Map<string, string> {
  const stated = statements();
  const sections = [...new Set(stated.map(({ section }) => section))];
  const proven = stated.filter((statement) => titlesFor(statement).length > 0).length;
  const text = page(
    "# Conformance with the specification",
    "Written from `test/specification` by `npm run fix`: which tests show that a statement of the [specification](specification.md) holds. A statement is a row of a table, a rule, a point or a paragraph. Parts that the specification itself marks as not shown are no statements.",
    `The specification has ${stated.length} statements. ${proven} of them are shown by ${allProofs.length} tests, each of which runs in process and over HTTP: ${proofs.length} call the platform, ${allProofs.length - proofs.length} run its command-line client. ${proofs.length - publicOtherwise.length} of the ${proofs.length} hold in the form of the [public API](public-api.md) as well, whether this project's client calls or the vendor's own. ${countOf(elsewhere)} ${countOf(elsewhere) === 1 ? "is" : "are"} tested elsewhere, and ${countOf(untestable)} cannot be tested. Where a clause of a statement is not shown, its row says so.`,
    ...sections.flatMap((section) => [
      `## ${section}`,
      table(
        ["Statement", "Shown by"],
        stated.filter((statement) => statement.section === section).map((statement) => [nameOf(statement), shownBy(statement)]),
      ),
    ]),
  );
  return new Map([["conformance.md", text]]);
}

function titlesFor(statement: Statement): string[] {
  return allProofs.filter(({ shows }) => shows.includes(referenceTo(statement))).map(({ title }) => title);
}

function shownBy(statement: Statement): string {
  const titles = titlesFor(statement);
  const lack = reasonIn(partly, statement);
  if (titles.length > 0) return [titles.join("; "), ...(lack === undefined ? [] : [`Not here: ${lack}`])].join(". ");
  const reason = reasonIn([...untestable, ...elsewhere], statement);
  return reason === undefined ? "" : `Not here. ${reason}`;
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
