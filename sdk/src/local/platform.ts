import type { z } from "zod";
import { type ErrorCode, type ErrorOrigin, PlatformError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import type { Identity, Reply, Request, Transport } from "../transport/transport.ts";
import { fromWire, objectToWire } from "../wire.ts";
import { recordCall } from "./audit/events.ts";
import { behavioursOf } from "./behaviours.ts";
import { type Behaviour, Call } from "./behaviour.ts";
import { Faults } from "./faults.ts";
import { refuseMalformed, refuseUnknown } from "./malformed.ts";
import { isRegion, regions } from "./places.ts";
import type { World } from "./world.ts";

/** The platform of the specification, in this process: answers calls on a world. */
export class LocalPlatform implements Transport {
  readonly world: World;
  readonly faults: Faults;

  constructor(world: World) {
    this.world = world;
    this.faults = new Faults(world);
  }

  whoAmI(): Promise<Identity> {
    return Promise.resolve({ account: this.world.account, time: this.world.now() });
  }

  close(): Promise<void> {
    this.world.close();
    return Promise.resolve();
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const behaviours = await behavioursOf(request.product);
    const outcome = await this.world.transaction(() => this.#answer(request, behaviours));
    if (outcome instanceof PlatformError) throw outcome;
    return outcome;
  }

  /** A refusal is returned, not thrown: it is recorded like any other outcome. */
  async #answer(request: Request, behaviours: readonly Behaviour[]): Promise<Reply | PlatformError> {
    const { product, action, region } = request;
    const requestId = this.#newRequestId();
    const now = this.world.now();
    const origin = { product, action, requestId };
    const behaviour = behaviours.find(({ operation }) => operation.action === action && operation.version === request.version);
    if (!behaviour) return unknownAction(request, behaviours, origin);
    if (!isRegion(region))
      return new PlatformError(
        "UnsupportedOperation.InvalidRegion",
        `there is no region ${region}; there are ${regions.join(", ")}`,
        origin,
      );
    const { account } = this.world;
    const call = new Call<ErrorCode>({
      world: this.world,
      faults: this.faults,
      operation: behaviour.operation,
      region,
      account,
      uin: account,
      requestId,
      now,
    });
    const fault = this.faults.striking(behaviour.operation);
    const outcome = fault?.when === "before" ? fault.error(requestId) : await this.#run(behaviour, call, request);
    recordCall(call, request, outcome);
    if (fault?.when === "after" && !(outcome instanceof PlatformError)) return fault.error(requestId);
    return outcome;
  }

  async #run({ operation, run }: Behaviour, call: Call<ErrorCode>, { body }: Request): Promise<Reply | PlatformError> {
    try {
      return await this.world.attempt(async () => {
        refuseUnknown(call, body);
        const input = fromWire(operation.input, body);
        refuseMalformed(call, input);
        const answer = await run(call, input);
        return { requestId: call.requestId, time: call.now, body: objectToWire(operation.output, checked(operation, answer)) };
      });
    } catch (error) {
      if (error instanceof PlatformError) return error;
      throw error;
    }
  }

  #newRequestId(): string {
    const hex = this.world.draw().toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
  }
}

function unknownAction({ product, action, version }: Request, behaviours: readonly Behaviour[], origin: ErrorOrigin): PlatformError {
  const versions = behaviours.flatMap(({ operation }) => (operation.action === action ? [operation.version] : []));
  return versions.length === 0
    ? new PlatformError("InvalidAction", `${product} has no action ${action}`, origin)
    : new PlatformError("NoSuchVersion", `${action} has no version ${version}; there is ${versions.join(", ")}`, origin);
}

const strict = new WeakMap<z.ZodObject, z.ZodObject>();

function strictly(schema: z.ZodObject): z.ZodObject {
  const known = strict.get(schema) ?? schema.strict();
  strict.set(schema, known);
  return known;
}

/** The platform keeps to its own catalogue: an answer that does not fit it is a mistake of the platform. */
function checked({ action, output }: Operation, answer: unknown): object {
  const parsed = strictly(output).safeParse(answer);
  if (!parsed.success) throw new Error(`the local platform's answer to ${action} is not what the catalogue says: ${parsed.error.message}`);
  return parsed.data;
}
