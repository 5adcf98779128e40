/** The codes of the distribution specification ("Error Codes"). */
export type RefusalCode =
  | "BLOB_UNKNOWN"
  | "BLOB_UPLOAD_INVALID"
  | "BLOB_UPLOAD_UNKNOWN"
  | "DENIED"
  | "DIGEST_INVALID"
  | "MANIFEST_BLOB_UNKNOWN"
  | "MANIFEST_INVALID"
  | "MANIFEST_UNKNOWN"
  | "NAME_INVALID"
  | "NAME_UNKNOWN"
  | "SIZE_INVALID"
  | "UNAUTHORIZED"
  | "UNSUPPORTED"
  // Of what is no client's fault, for which the specification has no code.
  | "UNKNOWN";

/** An answer that refuses a request, to be thrown. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly detail: unknown;

  constructor(
    status: number,
    code: RefusalCode,
    message: string,
    { headers = {}, detail }: { readonly headers?: Readonly<Record<string, string>>; readonly detail?: unknown } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.detail = detail;
  }
}

/** A client that gets no answer, as from an address behind which nobody is. To be thrown. */
export class HungUp extends Error {
  override readonly name = "HungUp";
}
