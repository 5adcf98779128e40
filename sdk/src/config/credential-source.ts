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
