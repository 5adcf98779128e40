import { type Document, isMap, LineCounter, parseDocument } from "yaml";
import { ConfigurationError } from "../operation/errors.ts";

/**
 * The text of a file of profiles, with its comments.
 *
 * @throws ConfigurationError if it is no such text. The message never shows values of the file.
 */
export function parsedProfiles(text: string, file: string): Document.Parsed {
  const lineCounter = new LineCounter();
  // The parser's own messages quote the line, which may hold a key.
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [flaw] = document.errors;
  if (flaw) throw new ConfigurationError(`${file} is not YAML: look at line ${lineCounter.linePos(flaw.pos[0]).line}`);
  if (document.contents !== null && !isMap(document.contents)) throw new ConfigurationError(`${file} is not a list of profiles by name`);
  try {
    document.toJS();
  } catch {
    throw new ConfigurationError(`${file} is not YAML: it has an alias without an anchor`);
  }
  return document;
}
