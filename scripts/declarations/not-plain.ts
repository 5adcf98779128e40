/** A declaration that cannot be passed on as it is written, because it needs types of zod or of another package that is not meant. */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
}
