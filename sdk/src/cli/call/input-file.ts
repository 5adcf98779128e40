import { homedir } from "node:os";
import { isObject, type JsonObject } from "../../operation/codec.ts";
import { UsageError } from "../run/failures.ts";
import { textOf } from "../files.ts";
import { jsonIn } from "../../formats/json.ts";

const scheme = "file://";

/**
 * The object that a file holds, as JSON: `file://<path>`, or `file://-` for the standard input.
 *
 * @throws UsageError if it cannot be read. The message never shows the content, which may be secret.
 */
export async function objectIn(file: string): Promise<JsonObject> {
  if (!file.startsWith(scheme))
    throw new UsageError("--cli-input-json takes file://<path>, or file://- for the standard input", "A path follows file:// as it is.");
  const path = file.slice(scheme.length).replace(/^~(?=\/)/, homedir());
  const content = await textOf(path, "--cli-input-json");
  const value = jsonIn(content);
  if (!isObject(value))
    throw new UsageError(`--cli-input-json: ${path} holds no JSON object`, "--generate-cli-skeleton prints one to fill in.");
  return value;
}
