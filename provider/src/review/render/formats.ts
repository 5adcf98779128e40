import { type Report, reportSchema } from "../report.ts";
import { annotations } from "./annotations.ts";
import { comment, limits } from "./comment.ts";
import { documentOf, everything } from "./document.ts";
import { htmlPage } from "./html.ts";
import { sarif } from "./sarif.ts";
import { terminal } from "./terminal.ts";

export type Format = "terminal" | "github" | "gitlab" | "html" | "json" | "sarif" | "annotations";

/** All formats of a report. `whole`: where the whole report is, for formats that have to be shortened. */
export const formats: Readonly<Record<Format, (report: Report, whole: string) => string>> = {
  terminal: (report) => {
    const text = terminal(documentOf(report, everything, ""));
    // Somebody is looking, unlike where nothing to say makes no comment.
    return `${text === "" ? unchanged[report.about] : text}\n`;
  },
  github: (report, whole) => comment(report, limits.github, whole),
  gitlab: (report, whole) => comment(report, limits.gitlab, whole),
  html: htmlPage,
  json: (report) => `${JSON.stringify(reportSchema.parse(report), undefined, 2)}\n`,
  sarif,
  annotations,
};

/** What a person is told where nothing changes. */
const unchanged: Readonly<Record<Report["about"], string>> = {
  preview: "Nothing changes.",
  drift: "Nothing was changed outside of Pulumi.",
};

export function isFormat(name: string): name is Format {
  return Object.hasOwn(formats, name);
}
