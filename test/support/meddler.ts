import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { isObject, type JsonObject } from "../../sdk/src/operation/codec.ts";
import { Front } from "./front.ts";

export interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the connection is lost in the middle of it. */
  readonly isCut?: boolean;
}

/** One answer that is not what the platform has told. */
export interface Meddling {
  readonly action: string;
  /** Which of the calls of this action is meant. */
  readonly nth: number;
  /** The call has taken effect. */
  readonly instead: (told: JsonObject) => Sent;
}

/** Lets every call pass, and may answer another thing than the platform has told. */
export class Meddler extends Front {
  #meddling: Meddling | undefined;
  #calls = 0;
  #hits = 0;

  static before(platform: string): Promise<Meddler> {
    return new Meddler(platform).listening();
  }

  /** Changes one answer from now on; `undefined`: none. */
  set meddling(one: Meddling | undefined) {
    this.#meddling = one;
    this.#calls = 0;
    this.#hits = 0;
  }

  /** Whether that answer was changed. */
  get hasMeddled(): boolean {
    return this.#hits > 0;
  }

  protected override async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { headers } = incoming;
    const one = this.#meddling;
    const isMeant = one !== undefined && headers["x-tc-action"] === one.action && ++this.#calls === one.nth;
    const told = await this.forwarded(headers, await text(incoming));
    const parsed: unknown = isMeant ? JSON.parse(told) : undefined;
    const response = isObject(parsed) ? parsed["Response"] : undefined;
    if (!one || !isObject(response)) {
      outgoing.end(told);
      return;
    }
    this.#hits++;
    const { status = 200, headers: named = {}, text: body, isCut = false } = one.instead(response);
    outgoing.writeHead(status, { "content-type": "application/json", ...named, ...(isCut && { "content-length": body.length + 100 }) });
    if (!isCut) outgoing.end(body);
    else outgoing.write(body, () => outgoing.destroy());
  }
}
