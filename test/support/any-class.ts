import * as provider from "@container-platform/pulumi";
import { CustomResource } from "@pulumi/pulumi";
import type { KindName } from "../../provider/src/resources/reviews.ts";

// The compiler cannot call a class that may be any of all: each takes other inputs.

/** `new X("example", {})`: the inputs are checked later, by the provider. */
export function constructed(kind: KindName): CustomResource {
  return asResource(Reflect.construct(provider[kind], ["example", {}]));
}

/** `X.get("example", "example-1")`. */
export function got(kind: KindName): CustomResource {
  const one = provider[kind];
  const get: unknown = Reflect.get(one, "get");
  if (typeof get !== "function") throw new Error(`${kind} has no get`);
  return asResource(Reflect.apply(get, one, ["example", "example-1"]));
}

function asResource(made: unknown): CustomResource {
  if (made instanceof CustomResource) return made;
  throw new Error("no resource was made");
}
