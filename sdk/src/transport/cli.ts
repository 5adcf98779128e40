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
  /** The folder that the program works in; the current one unless given. */
  readonly folder?: string;
  /** Credentials that the program is told; without them it uses its own. */
  readonly credentials?: CredentialSource | undefined;
  /** The profile that the program is told to use. */
  readonly profile?: string | undefined;
  /** Milliseconds that a call may take; two minutes unless given. */
  readonly patience?: number | undefined;
  /** Programs that run at the same time, at most; two for each processor unless given. */
  readonly most?: number;
}

/**
 * A platform that is reached through a program with the interface of the specification's command-line client, started anew for each
 * call: `<program> <product> <Action> --cli-input-json file://…` (specification, Client options and parameter passing). Which
 * platform that is, is the program's own configuration.
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

  /** The specification's client has no operation that tells the account: one that lacks it leaves that open. */
  async whoAmI(): Promise<Identity> {
    const asked = { product: "identity", action: "GetCallerIdentity", version: "2018-08-13", region: "", body: {} } as const;
    try {
      const { body, time, requestId } = await this.send(asked);
      const account = body["AccountId"];
      return { account: typeof account === "string" ? account : "", time, requestId };
    } catch (error) {
      if (error instanceof PlatformError && error.code === "ClientRefused") return { account: "", time: Date.now(), requestId: "" };
      throw error;
    }
  }

  /** Ends once the calls under way are answered. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#under);
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    const { product, action, version, region } = request;
    const { folder = process.cwd(), patience = 120_000, credentials, profile } = this.#options;
    const environment = surroundings(profile, await credentials?.());
    const ending = await withParameters(request.body, (file) => {
      const where = region === "" ? [] : ["--region", region];
      const args = [product, action, "--version", version, ...where, "--output", "json", "--cli-input-json", `file://${file}`];
      return run(this.#program, args, { folder, environment, patience, signal });
    });
    const { RequestId: id, ...body } = answerIn(ending, basename(this.#program), request);
    // A client does not print the platform's time: it is taken to be this machine's.
    return { requestId: typeof id === "string" ? id : "", body, time: Date.now() };
  }
}

/** Credentials are told in the environment: others can see command lines. An endpoint that names a client is not for the client. */
function surroundings(profile: string | undefined, credentials: Credentials | undefined): NodeJS.ProcessEnv {
  const endpoint = process.env["CONTAINER_PLATFORM_ENDPOINT"];
  return {
    ...process.env,
    CONTAINER_PLATFORM_ENDPOINT: endpoint?.startsWith("cli:") ? undefined : endpoint,
    // Who calls repeats what may be repeated: a client that did so as well would take six times as long to fail.
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
