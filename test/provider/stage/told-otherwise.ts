import { Cloud, type Reply, type Request, type Transport } from "@container-platform/sdk";
import { LocalPlatform, type World } from "@container-platform/sdk/local";
import { region } from "./stage.ts";

/** By action, what its answers become. */
export type Answers = Partial<Record<string, (body: Reply["body"]) => Reply["body"]>>;

/** A platform that tells something that the local one never does: some of its answers are other ones. */
export class ToldOtherwise implements Transport {
  readonly #platform: LocalPlatform;
  readonly #answers: Readonly<Answers>;

  private constructor(world: World, answers: Readonly<Answers>) {
    this.#platform = new LocalPlatform(world);
    this.#answers = answers;
  }

  static by(world: World, answers: Readonly<Answers>): Cloud {
    return new Cloud({ transport: new ToldOtherwise(world, answers), region });
  }

  /** The answers may be changed later. */
  static reached(world: World, answers: Answers): Transport {
    return new ToldOtherwise(world, answers);
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const reply = await this.#platform.send(request, signal);
    const other = this.#answers[request.action];
    return other ? { ...reply, body: other(reply.body) } : reply;
  }

  whoAmI = () => this.#platform.whoAmI();
  close = () => Promise.resolve();
}
