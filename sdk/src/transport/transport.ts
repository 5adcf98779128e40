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

/** What a platform said to a call that it carried out. */
export interface Reply {
  readonly requestId: string;
  readonly body: JsonObject;
  /** The platform's time, in milliseconds since 1970. */
  readonly time: number;
}

/** A way to reach a platform: in this process, over HTTP, through a command-line client. */
export interface Transport {
  /** Calls a second and product that it takes well, where nobody says another number. None: as many as there are. */
  readonly callsPerSecond?: number | undefined;
  /** Throws a `PlatformError` for a refusal, and for a call that did not reach the platform. */
  send(request: Request, signal?: AbortSignal): Promise<Reply>;
  /** Which account the calls are made in, and what time it is there. */
  whoAmI(): Promise<Identity>;
  close(): Promise<void>;
}

export interface Identity {
  /** The main account's id; empty where the way to the platform has no means to ask. */
  readonly account: string;
  /** The platform's time, in milliseconds since 1970. */
  readonly time: number;
  /** The id of the call that told it; empty where none was needed. */
  readonly requestId: string;
}
