import type { Asked } from "./host-requests.ts";
import { SimulatedState } from "./simulated-state.ts";
import type { Props } from "./structs.ts";

/** A provider. Its refusal ends the run of the engine that it was in: what follows is one with a provider that knows nothing. */
export abstract class Provider implements Asked {
  readonly saved = new SimulatedState();
  #hasRefused = false;
  #runs = 0;

  protected abstract asked<T>(ask: (one: Asked) => Promise<T>): Promise<T>;
  protected abstract begunAnew(by: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void>;

  /** Continues with a provider that knows nothing. With `SIGINT` the engine ends the one before, once all is saved. */
  async restart(by: "SIGINT" | "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.saved.ended(by);
    await this.begunAnew(by);
    this.#hasRefused = false;
  }

  /** Does what a run of the engine does, with a provider that has refused nothing when it begins. */
  async running(work: () => Promise<unknown>): Promise<void> {
    if (this.#hasRefused && this.#runs === 0) await this.restart("SIGINT");
    this.#runs++;
    try {
      await work();
    } finally {
      this.#runs--;
    }
  }

  async check(olds: Props, news: Props): ReturnType<Asked["check"]> {
    const checked = await this.asked((one) => one.check(olds, news));
    this.#hasRefused ||= checked.failures.length > 0;
    return checked;
  }

  async diff(id: string, olds: Props, news: Props): ReturnType<Asked["diff"]> {
    try {
      return await this.asked((one) => one.diff(id, olds, news));
    } catch (error) {
      this.#hasRefused = true;
      throw error;
    }
  }

  create(properties: Props): ReturnType<Asked["create"]> {
    return this.saved.creating(properties, () => this.asked((one) => one.create(properties)));
  }

  read(id: string, properties: Props, inputs?: Props): ReturnType<Asked["read"]> {
    return this.asked((one) => one.read(id, properties, inputs));
  }

  update(id: string, olds: Props, news: Props): ReturnType<Asked["update"]> {
    return this.asked((one) => one.update(id, olds, news));
  }

  async delete(id: string, properties: Props): Promise<void> {
    await this.asked((one) => one.delete(id, properties));
    this.saved.deleted(id, properties);
  }
}
