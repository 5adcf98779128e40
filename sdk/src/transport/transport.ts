import type { Product } from "../operation/operation.ts";
import type { JsonObject } from "../operation/codec.ts";

/** One call on its way to a platform. */
export interface Request {
  readonly product: Product;
  readonly action: string;
  readonly version: string;
  readonly region: string;
  readonly body: JsonObject;
}

/** The answer to a call that succeeded. */
export interface Reply {
  readonly requestId: string;
  readonly body: JsonObject;
  /** The platform's time, in milliseconds since 1970. */
  readonly time: number;
}

/** A way to reach a platform: in this process, over HTTP, through a command-line client. */
export interface Transport {
  /** The default for how many calls of a product may begin within a second. Absent: no limit. */
  readonly callsPerSecond?: number | undefined;
  /** Throws a `PlatformError` if the platform refuses, or was not reached. */
  send(request: Request, signal?: AbortSignal): Promise<Reply>;
  /** The account that the calls are made in, and the platform's time. */
  whoAmI(signal?: AbortSignal): Promise<Identity>;
  close(): Promise<void>;
}

export interface Identity {
  /** The main account's id; empty if this transport cannot ask for it. */
  readonly account: string;
  /** The platform's time, in milliseconds since 1970. */
  readonly time: number;
  /** The id of the call that answered this; empty if none was needed. */
  readonly requestId: string;
}
