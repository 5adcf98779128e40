import type { X509Certificate } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** Who somebody is to the API server. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

const text = z.union([z.string(), z.array(z.string())]).optional();
const subject = z.looseObject({ CN: text, O: text });

/** The user and the groups of a client's certificate: its common name and its organizations (Kubernetes, X509 client certificates). */
export function identityOf(certificate: X509Certificate): Identity {
  const { CN, O } = subject.parse(certificate.toLegacyObject().subject);
  return { user: [CN ?? ""].flat().at(-1) ?? "", groups: [O ?? []].flat() };
}

/** The headers of a request as they go on: what it says of its user itself does not, nor what is between the client and the front. */
export function headersFor(headers: IncomingHttpHeaders, identity: Identity | undefined): Record<string, string | string[]> {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).flatMap(([name, value]) => {
    const isOwn = name.startsWith("x-remote-") || named.includes(name) || between.includes(name);
    return value === undefined || isOwn ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(identity && { "x-remote-user": latin(identity.user), "x-remote-group": identity.groups.map(latin) }),
  };
}

/** RFC 9110, 7.6.1. */
const between = ["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"];

/** UTF-8 as a header has it. */
function latin(value: string): string {
  return Buffer.from(value).toString("latin1");
}
