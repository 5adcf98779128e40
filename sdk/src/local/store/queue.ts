import { resolve as absolute } from "node:path";

/** Work in the queue. */
export interface Job {
  /** Does the work. Its promise is settled later, once the transaction is committed. */
  do(attempt: <T>(work: () => Promise<T> | T) => Promise<T>): Promise<void>;
}

/** Does jobs one after the other in one transaction: if it throws, nothing of them is kept. */
type Commit = (jobs: readonly Job[]) => Promise<void>;

interface Waiting extends Job {
  readonly commit: Commit;
  /** Settles the job's promise with its own result. */
  tell(): void;
  /** Rejects the job's promise, because the transaction was rolled back. */
  fail(error: unknown): void;
}

/** The most jobs in one transaction, so that none waits long for the others. */
const most = 32;

/** By file. One queue for all worlds of a file: to wait for SQLite's lock blocks the process, and with it a holder of the lock in it. */
const queues = new Map<string, Queue>();

export function queueOf(file: string): Queue {
  if (file === ":memory:") return new Queue();
  const queue = queues.get(absolute(file)) ?? new Queue();
  queues.set(absolute(file), queue);
  return queue;
}

/** All work of this process on one file, in order. */
export class Queue {
  #waiting: Waiting[] = [];
  #running = false;

  /** Does work in its turn, in a transaction that `commit` makes. */
  add<T>(commit: Commit, work: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      let tell = (): void => undefined;
      this.#waiting.push({
        commit,
        do: (attempt) =>
          attempt(work).then(
            (result) => void (tell = () => resolve(result)),
            (error: unknown) => void (tell = reject.bind(undefined, error)),
          ),
        tell: () => tell(),
        fail: reject,
      });
      if (!this.#running) this.#begin();
    });
  }

  /** Starts after the current events, so that jobs which arrive together share a transaction. */
  #begin(): void {
    this.#running = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (let jobs = this.#next(); jobs.length > 0; jobs = this.#next())
      await jobs[0]?.commit(jobs).then(
        () => jobs.forEach((job) => job.tell()),
        (error: unknown) => jobs.forEach((job) => job.fail(error)),
      );
    this.#running = false;
  }

  /** The jobs at the front that can share a transaction. */
  #next(): Waiting[] {
    const [first] = this.#waiting;
    const end = this.#waiting.findIndex(({ commit }, index) => commit !== first?.commit || index >= most);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
