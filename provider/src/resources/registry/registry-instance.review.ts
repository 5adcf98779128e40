import type { registryTypes } from "@container-platform/sdk/registry";
import { clientsIn, entryText, itemsOf, listChange } from "../../review/assess/access.ts";
import {
  access,
  type Changed,
  type Judgement,
  notUndone,
  protection,
  type ReviewOf,
  risky,
  takesAlong,
} from "../../review/assess/reviewed.ts";
import { outlivingRegistry } from "./registry-outliving.ts";
import { alike, type Fields, isFields, isList, Unknown, type Value, without } from "../../review/plan/values.ts";

type Edition = (typeof registryTypes)[number];

export const review: ReviewOf<"RegistryInstance"> = {
  seconds: { create: 300, update: 30, delete: 60, changes: { publicAccess: 30 } },
  ending: {
    loses: ({ before }) =>
      before?.["deleteBucket"] === true ? "all images, charts and their bucket" : "the registry with its namespaces, tokens and rules",
    outliving: outlivingRegistry,
    unreachable: () => ["pulls and pushes of every image in it", "nodes that have to pull an image again"],
    undo: notUndone("a deleted registry cannot be restored; images have to be pushed again, and its name may be taken by then"),
    // The platform takes along all that is in it. The provider refuses that for namespaces, which hold images.
    whileThere: (own, other) =>
      other.kind === "Namespace" && other.inputs["registryId"] === own.id
        ? "refuses"
        : takesAlong("registryId", "sourceRegistryId")(own, other),
  },
  changes: {
    tags: "harmless",
    publicAccess: access(
      ({ before, after }) => listChange(whitelistOf(before), whitelistOf(after), entryText),
      "the registry's public endpoint",
      "the registry from the internet",
    ),
    internalAccess: (changed) => [...reached(changed), ...resolved(changed)],
    deletionProtection: protection,
    deleteBucket: risky(true, "safeguard-weakened", "a deletion of the registry will also delete its bucket with all images"),
    enableCosVersioning: risky(false, "safeguard-weakened", "overwritten and deleted layers are no longer kept"),
    registryType: ({ before, after }) => [
      isLess(before, after) ? lessAble : { sentence: "the price changes, and what the registry can do" },
    ],
  },
  opens: {
    decidedBy: ({ publicAccess }) => ({ publicAccess }),
    opening: ({ publicAccess }) => {
      const clients = clientsIn(whitelistOf(publicAccess));
      return clients ? { property: "publicAccess", sentence: `opens the registry on the internet, to ${clients}` } : undefined;
    },
  },
};

const reached = access(
  ({ before, after }) => listChange(linksOf(before), linksOf(after), entryText),
  "the registry's internal access",
  "the registry from the VPC",
);

/** Who is connected, whether its name is resolved there or not. */
function linksOf(access: Value | undefined): Value | undefined {
  return isList(access) ? access.map((link) => (isFields(link) ? linkOf(link) : link)) : access;
}

const linkOf = ({ vpcId, subnetId }: Fields): Fields => ({
  ...(vpcId !== undefined && { vpcId }),
  ...(subnetId !== undefined && { subnetId }),
});

/** Where the registry stays connected, and is no longer found by its name. */
function resolved({ before, after }: Changed): readonly Judgement[] {
  const unnamed = (access: Value | undefined) => itemsOf(access).filter((link) => isFields(link) && link["dns"] === false);
  return without(unnamed(after), unnamed(before)).flatMap((link): Judgement[] => {
    if (!isFields(link) || !itemsOf(before).some((old) => isFields(old) && alike(linkOf(old), linkOf(link)))) return [];
    const sentence = `its name is no longer resolved in the VPC of ${entryText(link)}: pulls by that name fail there`;
    return [{ code: "interrupts", sentence, unreachable: "the registry by its name, from the VPC" }];
  });
}

/** From the least to the most able. */
const types: readonly string[] = ["basic", "standard", "premium"] satisfies Edition[];

/** Whether a registry can do less with another type. What is not known is taken for less. */
function isLess(before: Value | undefined, after: Value | undefined): boolean {
  const [old, now] = [before, after].map((type) => (typeof type === "string" ? types.indexOf(type) : -1));
  return old === undefined || now === undefined || old < 0 || now < old;
}

const lessAble: Judgement = {
  code: "interrupts",
  sentence: "the registry can do less from then on: what takes a higher type, such as copies to another region, is refused",
};

function whitelistOf(access: Value | undefined): Value | undefined {
  return isFields(access) ? access["whitelist"] : access instanceof Unknown ? access : undefined;
}
