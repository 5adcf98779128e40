/** What container clients log in with. */
interface Login {
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

/** The configuration with which container clients log in: the content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`. */
export function dockerConfig({ server, username, password }: Login): string {
  const auth = Buffer.from(`${username}:${password}`).toString("base64");
  return JSON.stringify({ auths: { [server]: { username, password, auth } } });
}
