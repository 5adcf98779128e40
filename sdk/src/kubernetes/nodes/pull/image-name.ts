import { digestFrom } from "../../../images/protocol/digest.ts";
import { nameFrom, type Reference, tagFrom } from "../../../images/protocol/route.ts";

/** The name of an image in a pod, such as `acme-vpc.registry.container-platform.internal/team/web:v1`. */
export interface ImageName {
  /** The server, in lower case, with its port. */
  readonly host: string;
  /** What follows it. */
  readonly rest: string;
}

/** Its server: what stands before the first slash, if that is a domain, an address, or has a port. Other names are those of Docker Hub. */
export function imageName(image: string): ImageName {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = /[.:]/.test(first) || first === "localhost";
  return isHost ? { host: first.toLowerCase(), rest: image.slice(slash + 1) } : { host: "docker.io", rest: image };
}

/**
 * The repository of an image, and what of it is meant: a digest counts before a tag, and without both it is the tag `latest`.
 *
 * @throws Refusal for an invalid one
 */
export function askedFrom(rest: string): { name: string; reference: Reference } {
  const [tagged = "", digest] = rest.split("@", 2);
  const [, path = tagged, tag] = /^(.*):([^:/]*)$/.exec(tagged) ?? [];
  const name = nameFrom(path);
  return { name, reference: digest === undefined ? { tag: tagFrom(tag ?? "latest") } : { digest: digestFrom(digest) } };
}
