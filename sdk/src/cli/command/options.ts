import type { Options } from "./arguments.ts";

/** Which platform is called, and with which key. Every command that calls a platform takes these. */
export const connectionOptions = {
  endpoint: { value: "ENDPOINT", summary: "Platform to call: local, local:<file>, public, or an http:// or https:// address." },
  region: { value: "REGION", summary: "Region of the call, such as eu-frankfurt." },
  profile: { value: "NAME", summary: "Profile of ~/.container-platform/credentials.yaml. Default: default." },
  secretId: { value: "ID", summary: "ID of the access key that signs calls." },
  secretKey: { value: "KEY", summary: "Secret of the access key. Safer in the environment or in a profile." },
  token: { value: "TOKEN", summary: "Token of a temporary access key. Safer in the environment or in a profile." },
  timeout: { value: "SECONDS", summary: "Time to wait for a response. Default: 60 over HTTP." },
  retries: { value: "COUNT", summary: "Number of times that a failed call is repeated where that is safe. Default: 5." },
  debug: { summary: "Prints requests and responses to stderr, without secrets." },
} as const satisfies Options;

/** How answers are printed. */
export const outputOptions = {
  filter: { value: "EXPRESSION", summary: "Part of the response to print: a JMESPath expression." },
  output: { value: "FORMAT", values: ["json", "text", "table"], summary: "Format of the response: json, text or table. Default: json." },
} as const satisfies Options;

/** The options that all calls share. */
export const sharedOptions = { ...connectionOptions, ...outputOptions } as const satisfies Options;
