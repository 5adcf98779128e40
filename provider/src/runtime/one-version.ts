import { twoVersions } from "@container-platform/sdk";
import { programError } from "../definition/codes.ts";

/**
 * Refuses a second version of this package in one program, such as one that a library of components brings: the provider's process has the
 * version that the program finds, which would manage resources as another one has declared them.
 */
export function refuseOtherVersions(): void {
  const sentence = twoVersions("@container-platform/pulumi", import.meta.dirname);
  if (sentence === undefined) return;
  const error = programError("WrongVersion", sentence);
  // Where this was found out helps nobody.
  error.stack = error.message;
  throw error;
}
