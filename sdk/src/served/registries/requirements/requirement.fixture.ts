import type { Stage } from "../stage.fixture.ts";

/** Requirements of the distribution specification, each a sentence, with what shows that it holds. Each has a repository to itself. */
export type Requirements = Readonly<Record<string, (stage: Stage, repository: string) => Promise<void>>>;
