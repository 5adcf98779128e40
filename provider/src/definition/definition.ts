import type { Cloud, resourceKinds, Readiness } from "@container-platform/sdk";
import type { z } from "zod";
import type { Listed } from "./listing.ts";
import type { Props } from "../schema/values.ts";

/** Waits for something on the platform, inside a step: asks until nothing is missing, and shows what still is. */
export type Wait = (lack: () => Promise<string | undefined>) => Promise<void>;

export type PlainStep = (cloud: Cloud, wish: Props, live: Props, wait: Wait) => Promise<unknown>;
export type PlainChange =
  | "replace"
  | "noted"
  | "order"
  | PlainStep
  | { readonly replaces?: (wish: unknown, before: unknown, inputs: Props) => boolean; readonly standsOn?: true; readonly step: PlainStep };

/** A definition with its types rubbed off, as the interpreter sees it. */
export interface Kind {
  readonly type: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  readonly states?: Readonly<Record<string, Readonly<Record<string, Readiness>>>>;
  readonly id: {
    readonly looks: string;
    readonly names: readonly string[];
    readonly of: (parts: Props) => string;
    readonly parts: (id: string) => Props | undefined;
  };
  readonly create: (cloud: Cloud, wish: Props, mark: string) => Promise<unknown>;
  readonly owned:
    | keyof typeof resourceKinds
    | "key"
    | {
        readonly tagged: (
          cloud: Cloud,
          wish: Props,
          tag: { readonly key: string; readonly value: string },
        ) => Promise<readonly { readonly id: string; readonly tags: Readonly<Record<string, string>> | undefined }[]>;
      }
    | {
        readonly sweep: (
          cloud: Cloud,
          wish: Props,
          left: { readonly mark: string; readonly unsaved: Props | undefined },
        ) => Promise<unknown>;
      };
  readonly read: (cloud: Cloud, known: Props) => Promise<Props | undefined>;
  readonly list: (cloud: Cloud, listed: Listed) => Promise<readonly Props[]>;
  readonly described?: (cloud: Cloud, live: Props) => Promise<Props>;
  readonly delete: (cloud: Cloud, known: Props) => Promise<unknown>;
  readonly letGo?: Readonly<Record<string, (cloud: Cloud, known: Props, id: string, wait: Wait) => Promise<unknown>>>;
  readonly lingers?: (cloud: Cloud, known: Props) => Promise<string | undefined>;
  readonly changes: Readonly<Record<string, PlainChange>>;
  readonly rules?: readonly ((wish: Props, before: Props) => string | false | undefined)[];
  readonly warnings?: readonly ((wish: Props) => string | false | undefined)[];
  readonly awaits?: (cloud: Cloud, wish: Props) => Promise<string | undefined>;
  readonly ignores?: Readonly<Record<string, (wish: Props, live: Props) => boolean>>;
  readonly due?: (known: Props, now: number) => { readonly property: string; readonly why: string } | undefined;
  readonly renew?: PlainStep;
  readonly deleteFirst?: (wish: Props, before: Props) => boolean;
  readonly protectedBy?: string;
  readonly oneByOne?: readonly string[];
  readonly hints?: Readonly<Record<string, string>>;
  readonly seconds?: { readonly create?: number; readonly update?: number; readonly delete?: number };
  readonly abnormal?: { readonly seconds: number; readonly remark: string };
}
