import type { Options } from "./arguments.ts";

/** Which platform is called, and with which key. Every command that calls a platform takes these. */
export const connectionOptions = {
  endpoint: { value: "ENDPOINT", summary: "Platform to call: local, local:<file>, public, or an http:// or https:// address." },
  region: { value: "REGION", summary: "Region of the call, such as eu-frankfurt." },
  profile: { value: "NAME", summary: "Profile of ~/.container-platform/credentials.yaml; default unless given." },
  secretId: { value: "ID", summary: "Id of the key that calls are signed with." },
  secretKey: { value: "KEY", summary: "The key itself: better given in the environment or a profile." },
  token: { value: "TOKEN", summary: "Token of a temporary key: better given in the environment or a profile." },
  timeout: { value: "SECONDS", summary: "How long an answer is waited for; over HTTP 60 unless given." },
  retries: { value: "COUNT", summary: "How often a call is made again that failed and may be; 5 unless given." },
  debug: { summary: "Tells on stderr what is sent and answered, without secrets." },
} as const satisfies Options;

/** How answers are printed. */
export const outputOptions = {
  filter: { value: "EXPRESSION", summary: "What of the answer is printed: a JMESPath expression." },
  output: { value: "FORMAT", values: ["json", "text", "table"], summary: "How it is printed: json, text or table; json unless given." },
} as const satisfies Options;

/** The options that all calls share. */
export const sharedOptions = { ...connectionOptions, ...outputOptions } as const satisfies Options;
