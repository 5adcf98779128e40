import { AsyncLocalStorage } from "node:async_hooks";

type Fail = (error: unknown) => void;

/**
 * Work of which a part may fail that nobody waits for, as with the promises of Pulumi's SDK: such an error ends the work. Otherwise it would
 * end the whole process, and what others are doing in it.
 */
export class UnhandledRejections {
  readonly #fail = new AsyncLocalStorage<Fail>();

  constructor() {
    process.on("unhandledRejection", (error) => {
      const fail = this.#fail.getStore();
      if (!fail) throw error;
      fail(error);
    });
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#fail.run(reject, work).then(resolve, reject);
    });
  }
}
