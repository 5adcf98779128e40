import { z } from "zod";
import { fitsPattern } from "../../../formats/pattern.ts";
import type { SecretObject } from "../api/objects.ts";

/** The logins of pull secrets, chosen by the name of an image as a kubelet does. */

/** What a pod's secret logs in with, at servers whose names match a pattern. */
export interface Login {
  readonly pattern: string;
  readonly username: string;
  readonly password: string;
}

const entry = z.object({ username: z.string().optional(), password: z.string().optional(), auth: z.string().optional() });
const auths = z.record(z.string(), entry);
const config = z.object({ auths });

/** How the types of secrets keep logins. */
const forms = {
  "kubernetes.io/dockerconfigjson": { key: ".dockerconfigjson", read: (json: unknown) => config.safeParse(json).data?.auths },
  "kubernetes.io/dockercfg": { key: ".dockercfg", read: (json: unknown) => auths.safeParse(json).data },
} as const;

function isForm(type: string): type is keyof typeof forms {
  return Object.hasOwn(forms, type);
}

/** The logins of a secret; a sentence if it has none to be read. */
export function loginsIn({ type, data }: SecretObject): readonly Login[] | string {
  if (!isForm(type)) return `is of type ${type || "Opaque"}; a pull secret is of type ${Object.keys(forms).join(" or ")}`;
  const { key, read } = forms[type];
  const found = read(jsonIn(data[key] ?? ""));
  if (!found) return `has no logins in ${key}: it takes {"auths": {"<server>": {"username": "…", "password": "…"}}}`;
  return Object.entries(found).map(([pattern, { username, password, auth }]) => {
    const [, user = "", secret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(auth ?? "", "base64").toString()) ?? [];
    return { pattern, username: username ?? user, password: password ?? secret };
  });
}

function jsonIn(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, "base64").toString());
  } catch {
    return undefined;
  }
}

/** Whether a login is for an image: its server is the image's, `*` stands for a part of a domain, and its path begins the image's. */
export function isFor({ pattern }: Login, host: string, repository: string): boolean {
  const [wanted = "", ...path] = pattern
    .replace(/^https?:\/\//, "")
    .replace(/\/v[12]\/?$/, "")
    .split("/");
  const [parts, given] = [wanted.toLowerCase().split("."), host.split(".")];
  const fits = parts.length === given.length && parts.every((part, index) => fitsPattern(part, given[index] ?? ""));
  return fits && repository.startsWith(path.join("/"));
}
