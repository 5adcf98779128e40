import type { Kind } from "../definition/definition.ts";
import type { Violation, World } from "../definition/invariants.ts";
import { Doubt, type Offer, type Referred } from "../definition/offers.ts";
import { throwingIfUnknown, UnknownInput } from "../definition/unknown-inputs.ts";
import { isUnreadable } from "../definition/unreadable.ts";
import { partOf } from "../schema/messages.ts";
import { valueAt } from "../schema/paths.ts";
import { holdsUnknown, type Props, same } from "../schema/values.ts";

/** The inputs to compare with the platform's current offers. */
interface Compared {
  readonly inputs: Props;
  /** The last applied inputs, or the live ones of an imported resource. Empty for a new resource. */
  readonly lastInputs: Props;
  /** The inputs of the resource that an unknown value comes from, by path. */
  readonly sourceOf?: (path: string) => Props | undefined;
}

/** The new or changed inputs that the platform does not offer. A value that is unknown, or whose list cannot be read, is not compared. */
export async function unavailableIn(
  kind: Kind,
  { cloud, warn }: Pick<World<Kind>, "cloud" | "warn">,
  compared: Compared,
): Promise<readonly Violation[]> {
  const { inputs, lastInputs } = compared;
  const check = async ([path, { flaw, beside = [] }]: [string, Offer<Props>]): Promise<readonly Violation[]> => {
    const value = valueAt(inputs, path);
    const isSame = [path, ...beside].every((one) => same(valueAt(inputs, one), valueAt(lastInputs, one)));
    if (value === undefined || holdsUnknown(value) || isSame) return [];
    try {
      const found = await flaw(cloud, value, throwingIfUnknown(inputs), (other) => referredBy(compared, other));
      if (found instanceof Doubt) warn(`${path}: ${found.sentence}`);
      if (found === undefined || found instanceof Doubt) return [];
      return [typeof found === "string" ? { path, message: found } : { path: partOf(path, found.of), message: found.says }];
    } catch (error) {
      if (error instanceof UnknownInput) return [];
      if (!isUnreadable(error)) throw error;
      warn(`${path}: could not check whether the platform offers this value: ${error.message}`);
      return [];
    }
  };
  return (await Promise.all(Object.entries(kind.offered ?? {}).map(check))).flat();
}

/** The IDs at a path, and the inputs of the resources whose IDs are unknown. @throws UnknownInput if neither is known */
function referredBy({ inputs, sourceOf }: Compared, path: string): ReturnType<Referred> {
  const value = valueAt(inputs, path);
  const items: readonly (readonly [path: string, id: unknown])[] = Array.isArray(value)
    ? value.map((id, index) => [`${path}.${index}`, id])
    : [[path, value]];
  return items.map(([place, id]) => {
    if (typeof id === "string" && !holdsUnknown(id)) return id;
    const source = sourceOf?.(place);
    if (source === undefined) throw new UnknownInput();
    return throwingIfUnknown(source);
  });
}
