import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request, Transport } from "@container-platform/sdk";
import { LocalControl, LocalPlatform, type Snapshot, World } from "@container-platform/sdk/local";

/** A platform whose reads show the world as it was some time ago. Writes take effect at once. */
export class LateReads implements Transport {
  readonly #live: LocalPlatform;
  readonly #folder = mkdtempSync(join(tmpdir(), "container-platform-late-"));
  readonly #old = new LocalPlatform(World.open(join(this.#folder, "world.db")));
  readonly #milliseconds: number;
  /** The worlds before each write, and until when reads show them. */
  #earlier: readonly { readonly snapshot: Snapshot; readonly until: number }[] = [];
  #shown: Snapshot | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(world: World, milliseconds: number) {
    this.#live = new LocalPlatform(world);
    this.#milliseconds = milliseconds;
  }

  send(request: Request) {
    const answer = this.#turn.then(() => this.#send(request));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  whoAmI() {
    return this.#live.whoAmI();
  }

  async #send(request: Request) {
    this.#earlier = this.#earlier.filter(({ until }) => until > Date.now());
    if (!/^(Describe|Get|List|LookUp|Check)/.test(request.action)) {
      const snapshot = await new LocalControl(this.#live.world).snapshot({ audit: true });
      this.#earlier = [...this.#earlier, { snapshot, until: Date.now() + this.#milliseconds }];
      return this.#live.send(request);
    }
    const [oldest] = this.#earlier;
    if (!oldest) return this.#live.send(request);
    if (this.#shown !== oldest.snapshot) await new LocalControl(this.#old.world).restore(oldest.snapshot);
    this.#shown = oldest.snapshot;
    return this.#old.send(request);
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#old.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
