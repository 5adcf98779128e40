import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Credentials, CredentialSource } from "../config/credential-source.ts";
import { PlatformError } from "../operation/errors.ts";
import { answerIn } from "./cli/answers.ts";
import { withParameters } from "./cli/parameters.ts";
import { run } from "./cli/program.ts";
import { Turns } from "./cli/turns.ts";
import type { Identity, Reply, Request, Transport } from "./transport.ts";

export interface CliOptions {
  /** The working folder of the program. Default: the current one. */
  readonly folder?: string;
  /** Credentials for the program. Default: it uses its own. */
  readonly credentials?: CredentialSource | undefined;
  /** The profile that the program is to use. */
  readonly profile?: string | undefined;
  /** Milliseconds that a call may take. Default: two minutes. */
  readonly timeout?: number | undefined;
  /** How many programs run at the same time, at most. Default: two for each processor. */
  readonly most?: number;
}

/**
 * Reaches a platform through a program that is called as the specification's command-line client is. Each call starts it once:
 * `<program> <product> <Action> --cli-input-json file://…` (specification, Client options and parameter passing). The program's own
 * configuration says which platform that is.
 */
export class CliTransport implements Transport {
  readonly #program: string;
  readonly #options: CliOptions;
  readonly #turns: Turns;
  readonly #under = new Set<Promise<unknown>>();

  constructor(program: string, options: CliOptions = {}) {
    this.#program = program;
    this.#options = options;
    this.#turns = new Turns(options.most ?? 2 * availableParallelism());
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const call = this.#turns.take(signal, () => this.#send(request, signal));
    this.#under.add(call);
    try {
      return await call;
    } finally {
      this.#under.delete(call);
    }
  }

  /** The specification's client cannot ask for the account. With a client that refuses to, the account stays empty. */
  async whoAmI(signal?: AbortSignal): Promise<Identity> {
    const asked = { product: "identity", action: "GetCallerIdentity", version: "2018-08-13", region: "", body: {} } as const;
    try {
      const { body, time, requestId } = await this.send(asked, signal);
      const account = body["AccountId"];
      return { account: typeof account === "string" ? account : "", time, requestId };
    } catch (error) {
      if (error instanceof PlatformError && error.code === "ClientRefused") return { account: "", time: Date.now(), requestId: "" };
      throw error;
    }
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#under);
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    const { product, action, version, region } = request;
    const { folder = process.cwd(), timeout = 120_000, credentials, profile } = this.#options;
    const environment = surroundings(profile, await credentials?.());
    const ending = await withParameters(request.body, (file) => {
      const where = region === "" ? [] : ["--region", region];
      const args = [product, action, "--version", version, ...where, "--output", "json", "--cli-input-json", `file://${file}`];
      return run(this.#program, args, { folder, environment, timeout, signal });
    });
    const { RequestId: id, ...body } = answerIn(ending, basename(this.#program), request);
    // A client does not print the platform's time, so that this machine's has to do.
    return { requestId: typeof id === "string" ? id : "", body, time: Date.now() };
  }
}

/**
 * The environment of the program. Credentials are in it because others can see command lines. An endpoint that names a client is left out:
 * it is not for the client itself.
 */
function surroundings(profile: string | undefined, credentials: Credentials | undefined): NodeJS.ProcessEnv {
  const endpoint = process.env["CONTAINER_PLATFORM_ENDPOINT"];
  return {
    ...process.env,
    CONTAINER_PLATFORM_ENDPOINT: endpoint?.startsWith("cli:") ? undefined : endpoint,
    // The calls are retried here. If the client did that as well, it would take six times as long to fail.
    CONTAINER_PLATFORM_RETRIES: "0",
    ...(profile !== undefined && { CONTAINER_PLATFORM_PROFILE: profile }),
    ...(credentials && {
      CONTAINER_PLATFORM_SECRET_ID: credentials.secretId,
      CONTAINER_PLATFORM_SECRET_KEY: credentials.secretKey,
      CONTAINER_PLATFORM_TOKEN: credentials.token,
      CONTAINER_PLATFORM_CREDENTIAL_PROCESS: undefined,
    }),
  };
}
