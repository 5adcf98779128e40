import { resolve as absolute } from "node:path";

/** Work that waits for its turn. */
export interface Job {
  /** Does the work. Whoever waits for it is told what came of it once that is kept. */
  do(attempt: <T>(work: () => Promise<T> | T) => Promise<T>): Promise<void>;
}

/** Does jobs one after the other, and keeps what they did: all of it, or nothing if it throws. */
type Commit = (jobs: readonly Job[]) => Promise<void>;

interface Waiting extends Job {
  readonly commit: Commit;
  /** Tells whoever waits for it what came of it. */
  tell(): void;
  /** Tells them that nothing of it was kept. */
  fail(error: unknown): void;
}

/** Jobs that are committed at once, at most: nobody waits long for the others. */
const most = 32;

/** By file. Waiting for SQLite's own lock would stop the process, and with it whatever holds the lock in it. */
const queues = new Map<string, Queue>();

export function queueOf(file: string): Queue {
  if (file === ":memory:") return new Queue();
  const queue = queues.get(absolute(file)) ?? new Queue();
  queues.set(absolute(file), queue);
  return queue;
}

/** Whose turn it is, of all that this process does in one file. */
export class Queue {
  #waiting: Waiting[] = [];
  #running = false;

  /** Does work when its turn comes. */
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

  /** After whatever comes in at the same time is there as well. */
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

  /** Those at the front that can be committed together. */
  #next(): Waiting[] {
    const [first] = this.#waiting;
    const end = this.#waiting.findIndex(({ commit }, index) => commit !== first?.commit || index >= most);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
