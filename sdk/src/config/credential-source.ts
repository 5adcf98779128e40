/** What calls are signed with. */
export interface Credentials {
  readonly secretId: string;
  readonly secretKey: string;
  /** The token of temporary credentials, which is sent with each call. */
  readonly token: string | undefined;
}

/**
 * Gives the credentials of a call. They can change from one to the next.
 *
 * @param refused what it gave before, and the platform takes no more: others are given if there are any
 */
export type CredentialSource = (refused?: Credentials) => Promise<Credentials>;

/** Credentials with an end. Both times are in milliseconds, by this machine's clock; `Infinity` if there is none. */
export interface Temporary {
  readonly credentials: Credentials;
  /** New ones are asked for from then on. */
  readonly renewal: number;
  /** They are good until then. */
  readonly end: number;
}

/**
 * A source that fetches credentials when a call needs them, keeps them, and renews them shortly before their end, so that a run can take
 * longer than they last, and before that if the platform refuses them. All calls that need them at the same time wait for one fetch. If a
 * renewal fails, they are used to their end.
 */
export function renewed(fetch: () => Promise<Temporary>): CredentialSource {
  let kept: Temporary | undefined;
  let fetching: Promise<Credentials> | undefined;
  const renew = async () => {
    try {
      kept = await fetch();
    } catch (error) {
      if (!kept || Date.now() >= kept.end) throw error;
    } finally {
      fetching = undefined;
    }
    return kept.credentials;
  };
  return (refused) => {
    if (kept && Date.now() < kept.renewal && kept.credentials !== refused) return Promise.resolve(kept.credentials);
    return (fetching ??= renew());
  };
}
