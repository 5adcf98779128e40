import type { Report } from "../../report.ts";
import { visible } from "../blocks.ts";
import { type Place, placesOf } from "./places.ts";

const levels = { blocked: "error", "needs-approval": "warning", note: "notice" } as const;

/** Workflow commands, with which GitHub Actions shows each reason at its line of the program. */
export function annotations(report: Report): string {
  return placesOf(report).map(command).join("");
}

function command({ verdict, title, sentence, source }: Place): string {
  const place = source
    ? { file: source.file, line: String(source.line), ...(source.column === undefined ? {} : { col: String(source.column) }) }
    : {};
  const properties = Object.entries({ ...place, title }).map(([key, value]) => `${key}=${property(value)}`);
  return `::${levels[verdict]} ${properties.join(",")}::${data(sentence)}\n`;
}

function data(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
