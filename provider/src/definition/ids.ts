import * as z from "@container-platform/sdk/zod";
import { allowed } from "./allowed.ts";

/** What an id begins with, and whose it is. */
const owners = {
  vpc: "a VPC",
  subnet: "a subnet",
  rtb: "a route table",
  sg: "a security group",
  cls: "a cluster",
  np: "a node pool",
  tcr: "a registry",
  ins: "a machine",
  skey: "a key pair",
  img: "an image",
} as const;

/** The platform's id of a resource of one kind, such as `vpc-3f8a0c1e`. */
export function idOf(prefix: keyof typeof owners): z.ZodString {
  return allowed(z.string(), {
    takes: `the id of ${owners[prefix]}, such as ${prefix}-3f8a0c1e`,
    allows: (text) => text.startsWith(`${prefix}-`) && /^[\w-]+$/.test(text),
  });
}
