import type { Reply, Transport } from "@container-platform/sdk";

/** The call with whose answer a provider dies: the nth one, or the nth of an action, that the platform carries out from now on. */
export interface Doom {
  readonly nth: number;
  readonly action?: string;
}

/** The life of a provider in this process. Once it is over, the provider's calls are not answered, and no request to it is. */
export class Life {
  isOver = false;
  readonly #over: Promise<never>;
  #end: () => void = () => undefined;
  #doom: Doom = { nth: Infinity };
  #calls = 0;
  /** How the provider reaches the platform. */
  readonly transport: Transport;

  constructor(platform: Transport) {
    this.#over = new Promise((_, reject) => {
      this.#end = () => {
        this.isOver = true;
        reject(new Error("the provider has died"));
      };
    });
    this.#over.catch(() => undefined);
    const { callsPerSecond } = platform;
    this.transport = {
      callsPerSecond,
      send: async (request, signal) => {
        if (this.isOver) return forever();
        try {
          return await platform.send(request, signal);
        } finally {
          if (this.#isOverAfter(request.action)) await forever();
        }
      },
      whoAmI: () => platform.whoAmI(),
      close: () => platform.close(),
    };
  }

  end(): void {
    this.#end();
  }

  endAt(doom: Doom): void {
    this.#doom = doom;
    this.#calls = 0;
  }

  #isOverAfter(action: string): boolean {
    if ((this.#doom.action ?? action) === action && ++this.#calls === this.#doom.nth) this.end();
    return this.isOver;
  }

  /** @throws if the life ends first */
  during<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([this.#over, work()]);
  }
}

function forever(): Promise<Reply> {
  return new Promise(() => undefined);
}
