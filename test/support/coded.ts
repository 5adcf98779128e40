import { type Coded, parse } from "../../provider/src/definition/codes.ts";

/** A message of the provider, taken apart. @throws Error if it has no code */
export function codedOf(text: string): Coded {
  const coded = parse(text);
  if (!coded) throw new Error(`a message of the provider has no code: ${text}`);
  return coded;
}

/** A failure of a check, as a suite reads it. `reason`: without the code. */
export interface Failure extends Pick<Coded, "code" | "path"> {
  readonly property: string;
  readonly reason: string;
}

export function failureIn(property: string, text: string): Failure {
  const { code, path, message } = codedOf(text);
  return { property, reason: message, code, path };
}
