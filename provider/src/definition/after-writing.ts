/** The failure of a creation of several calls, of which an earlier one has made the resource. */
export class AfterWriting extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
