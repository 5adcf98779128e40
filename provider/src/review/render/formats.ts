import { type Report, reportSchema } from "../report.ts";
import { annotations, comments, sarif } from "./places.ts";
import { comment, limits } from "./markdown.ts";
import { documentOf } from "./document.ts";
import { everything, type Extent } from "./blocks.ts";
import { htmlPage } from "./page.ts";
import { type Screen, terminal } from "./terminal.ts";

export type Format = "terminal" | "github" | "gitlab" | "html" | "json" | "sarif" | "annotations" | "comments";

/**
 * All formats of a report. `whole`: where the whole report is, for formats that have to be shortened. `screen`: what it is printed to,
 * without which it is written for a file.
 */
export const formats: Readonly<Record<Format, (report: Report, whole: string, screen?: Screen) => string>> = {
  terminal: (report, whole, screen) => {
    const text = terminal(documentOf(report, extentOnTerminal(report), whole), screen);
    // Somebody is looking, unlike where nothing to say makes no comment.
    return `${text === "" ? unchanged[report.about] : text}\n`;
  },
  github: (report, whole) => comment(report, limits.github, whole),
  gitlab: (report, whole) => comment(report, limits.gitlab, whole),
  html: htmlPage,
  json: (report) => `${JSON.stringify(reportSchema.parse(report), undefined, 2)}\n`,
  sarif,
  annotations,
  comments,
};

/** What a person is told where nothing changes. */
const unchanged: Readonly<Record<Report["about"], string>> = {
  preview: "Nothing changes.",
  drift: "Nothing was changed outside of Pulumi.",
};
/** What happens because of another change is in its tree, and only the page explains each. Of very many changes, the worst are explained. */
function extentOnTerminal({ changes }: Report): Extent {
  const shown: Extent = { ...everything, cascades: "named", diagram: false };
  return changes.length <= 100 ? shown : { ...shown, detailed: 20, reasons: 20 };
}

export function isFormat(name: string): name is Format {
  return Object.hasOwn(formats, name);
}
