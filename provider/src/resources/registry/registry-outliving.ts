import type { Outliving } from "../../definition/outliving.ts";

/** What a deletion of a registry leaves. */
export function outlivingRegistry({ deleteBucket }: { readonly deleteBucket?: unknown }): readonly Outliving[] {
  return deleteBucket === true ? [] : [{ what: "its storage bucket with all layers", unless: "deleteBucket: true" }];
}
