import type { Cloud } from "@container-platform/sdk";
import type { Props } from "../schema/values.ts";
import * as audit from "./audit.ts";
import { type AnyFunction, recordOf } from "./asking.ts";
import * as cluster from "./cluster.ts";
import * as compute from "./compute.ts";
import { definitionOf } from "./definition.ts";
import * as network from "./network.ts";
import * as nodes from "./nodes.ts";
import * as ofArguments from "./of-arguments.ts";
import * as registry from "./registry.ts";

const files: readonly Readonly<Record<string, object | undefined>>[] = [audit, cluster, compute, network, nodes, registry];

/** Every function of the native plugin: those that programs with classes have, too, and those of their arguments alone. */
export const functions: readonly AnyFunction[] = [
  ...files.flatMap((file) => Object.values(file).flatMap((each) => definitionOf(each) ?? [])),
  ...Object.values(ofArguments),
];

/** The same functions, as they are called from any language: each answers an object. */
export const callables = functions.map((asked) => ({
  ...asked,
  answer: (given: Props, connect: () => Promise<Cloud>) => recordOf(asked, given, connect),
}));
