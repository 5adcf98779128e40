import type { Cloud } from "@container-platform/sdk";
import type { Snapshot, World } from "@container-platform/sdk/local";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { Reason } from "../../../provider/src/review/verdict.ts";
import type { Settings, Template } from "../../lifecycle/template.ts";
import type { EntrySummary } from "../../lifecycle/resettable-stack.ts";
import { changeInPlace, creation, deletion, type Step } from "../../review/previews.ts";
import type { Props } from "../../support/structs.ts";
import type { Drifts } from "../every-kind/drift-law.ts";
import type { Place } from "../stage/place.ts";

/**
 * What the suites need to know of one kind of resource, in its file `<kind>.cases.ts`. What its inputs do when they change is in the
 * table beside it, `<kind>.test.ts`. `npm run fix` lists the kinds in `all.ts`; a suite takes what it needs from there.
 */
export interface KindCases {
  /** Each input changed behind the program's back: what a refresh shows, and what repairs it. */
  readonly drifts: (place: Place) => Drifts | Promise<Drifts>;
  readonly creates: Creates;
  /** A creation during which the provider is killed, or whose answer is lost. It follows from the definition's `owned` which one it is. */
  readonly killed: KilledWithTags | KilledWithKey | KilledWithNote;
  /** The secrets among its inputs and outputs. */
  readonly secrets?: (place: Place) => Secrets;
  /** Makes what a site has of the kind, without a program, and returns the ids in the form that states have. */
  readonly site: (site: Site) => Promise<readonly string[]>;
  /** The ids of all that a world holds of the kind, in the form that states have. */
  readonly idsIn: (world: Snapshot) => readonly string[];
  readonly program: ProgramText;
  /** How random programs declare it, and what happens to it by hand between their runs. */
  readonly random: RandomCases;
  /** Changes and how the reviewer judges them, by what happens. */
  readonly judged: Readonly<Record<string, Judged>> | Exempt;
}

/** Why a suite leaves a kind out. */
export interface Exempt {
  readonly exempt: string;
}

export function isExempt(value: object): value is Exempt {
  return "exempt" in value && typeof value.exempt === "string";
}

interface Named {
  readonly action: string;
}

interface Creates {
  readonly operation: Named;
  /** The operation that deletes a resource whose secret was lost with the response of its creation: only then may there be more than one. */
  readonly takenBackBy?: Named;
}

/** The creation of one resource, and how a test finds the resource without the provider. */
interface Killed {
  readonly args: Props;
  /** How many of the kind exist. */
  readonly count: () => Promise<number>;
}

/** Of a kind that takes tags: the provider finds it by its own tags. */
export interface TaggedCreation extends Killed {
  /** Whether a second one can exist beside it. */
  readonly beside: boolean;
  readonly tags: (id: string) => Promise<Props>;
}

/** Of a kind that takes no tags and can exist only once: the provider finds it by its id. */
export interface KeyedCreation extends Killed {
  readonly id: string;
  /** Makes the same resource without the provider. */
  readonly byHand: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** Of a kind with a note: the provider deletes it, and creates another one. */
export interface NotedCreation extends Killed {
  readonly deletes: Named;
  /** The operation that removes the note at the end of the update. */
  readonly confirms: Named;
}

interface KilledWithTags {
  readonly tagged: (place: Place) => TaggedCreation;
}

interface KilledWithKey {
  readonly keyed: (place: Place) => KeyedCreation | Promise<KeyedCreation>;
}

interface KilledWithNote {
  readonly noted: (place: Place) => NotedCreation;
}

interface Secrets {
  /** Inputs with all secrets that the kind takes. */
  readonly args: () => Props | Promise<Props>;
  /** A change in place. */
  readonly to: Props;
  readonly secret: (props: Props) => readonly unknown[];
  readonly inputs: boolean;
}

/** One of several sites that people made without a program: a network, a cluster and registries. The kinds make their parts in their order. */
export interface Site {
  readonly cloud: Cloud;
  readonly world: World;
  /** Sites differ by this number: odd ones are dual-stack. */
  readonly index: number;
  /** The ids that an earlier kind has returned. */
  readonly idsOf: (kind: KindName) => readonly string[];
  /** The first of them. */
  readonly idOf: (kind: KindName) => string;
}

/** Text of a program that has one of each kind. It may use the constants of kinds before it, and declare some for those after it. */
interface ProgramText {
  /** `called`: the value of every input that can have any text, so that another value changes all resources in place. */
  readonly one: (called: string) => string;
  /** Further ones for the state that a version leaves behind: with values that are left to the platform, or spelt in another way. */
  readonly further?: string;
}

/** What somebody does to a resource by hand. */
type ByHand = (cloud: Cloud, entry: EntrySummary) => Promise<unknown>;

interface RandomCases {
  readonly template: Template;
  /** Other ways to declare it, by name. */
  readonly variants?: Readonly<Record<string, Template>>;
  readonly renamed: ByHand | Exempt;
  readonly deleted: ByHand | Exempt;
  /** Makes one that the program then imports, with other values than the program has. Returns its id. */
  readonly imported: ((cloud: Cloud, settings: Settings) => Promise<string>) | Exempt;
}

/** A change, and how the reviewer judges it. */
export interface Judged {
  readonly step: Step;
  readonly codes: readonly Reason["code"][];
  readonly undo?: "yes" | "partly" | "no";
  /** A part of the reasons' sentences. */
  readonly says?: string;
}

/** Changes of one resource of a kind, and the codes of the reasons for an approval. */
export function judging(kind: KindName) {
  type Codes = Judged["codes"];
  type More = Pick<Judged, "undo" | "says">;
  return {
    update: (old: Props, now: Props, codes: Codes, more?: More): Judged => {
      const step = { ...changeInPlace(kind, old, now), paths: Object.keys({ ...old, ...now }) };
      return { step, codes, ...more };
    },
    create: (now: Props, codes: Codes, { from, ...more }: More & Pick<Step, "from"> = {}): Judged => ({
      step: creation(kind, "x", now, from && { from }),
      codes,
      ...more,
    }),
    remove: (old: Props, codes: Codes, more?: More): Judged => ({ step: deletion(kind, "x", old), codes, ...more }),
  };
}
