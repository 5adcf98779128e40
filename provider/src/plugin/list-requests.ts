import { type Cloud, fieldsOf } from "@container-platform/sdk";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { marksOf } from "../schema/marks.ts";
import { holdsUnknown, isProps, type Props } from "../schema/values.ts";
import { propsOf } from "./properties.ts";

/** A resource on the platform. */
interface Found {
  readonly kind: Kind;
  readonly id: string;
  readonly live: Props;
}

/** Finds the resources of a kind; of permissions, those of a sub-account, or of all that the log of calls names. */
export type Find = (cloud: Cloud, kind: Kind, user: string | undefined) => Promise<readonly Found[]>;

/** How many resources a page has at most. */
const longestPage = 100;

/** The inputs by which resources of a kind are listed: the ids of what they are in or refer to, and tags. */
export function queryInputs(kind: Kind): string[] {
  return Object.entries(fieldsOf(kind.inputs)).flatMap(([key, schema]) => {
    const { idOf, tags } = marksOf(schema);
    return idOf !== undefined || tags || (kind.id.names.includes(key) && key in kind.inputs.shape) ? [key] : [];
  });
}

/**
 * Lists the resources of a kind on the platform, those of no stack included: the next page, in the order of the ids. Where a page ends is
 * told by the id that it ends with.
 */
export async function list(kind: Kind, find: Find, process: ProviderProcess, request: messages.ListRequest) {
  const query = propsOf(request.getQuery());
  if (holdsUnknown(query)) return [new messages.ListResponse().setComputed(new messages.ListResponse.Computed())];
  const known = queryInputs(kind);
  const surplus = Object.keys(query).find((key) => !known.includes(key));
  if (surplus !== undefined)
    throw new ProviderError("InvalidInput", `${kind.type} is not listed by ${surplus}; it is listed by ${known.join(", ")}`);
  const user = query["targetUin"];
  const found = await process.plainly({}, async () => find(await process.cloud(), kind, typeof user === "string" ? user : undefined));
  const after = request.getContinuationToken();
  const left = found.filter((one) => one.id > after && meets(one, query)).sort((one, other) => (one.id < other.id ? -1 : 1));
  const page = left.slice(0, Math.min(...[request.getLimit(), request.getPageSize(), longestPage].filter((count) => count > 0)));
  const results = page.map((one) => new messages.ListResponse.Result().setId(one.id).setName(nameOf(one)));
  const responses = results.map((result) => new messages.ListResponse().setResult(result));
  const last = page.length < left.length ? page.at(-1) : undefined;
  if (!last) return responses;
  const continuation = new messages.ListResponse.Continuation().setContinuationToken(last.id);
  return [...responses, new messages.ListResponse().setContinuation(continuation)];
}

/** Whether a resource has the values that were asked for, and at least the tags. */
function meets({ live }: Found, query: Props): boolean {
  return Object.entries(query).every(([key, value]) => {
    const there = live[key];
    return isProps(value) ? isProps(there) && Object.entries(value).every(([tag, text]) => there[tag] === text) : there === value;
  });
}

/** What the resource is called on the platform; its id, if it has no name. Its inputs can name its parent or a role, too. */
function nameOf({ kind, id, live }: Found): string {
  const type = kind.type.toLowerCase();
  const key = Object.keys(kind.inputs.shape).find((input) => /name$/i.test(input) && type.includes(input.toLowerCase().slice(0, -4)));
  const name = key === undefined ? undefined : live[key];
  return typeof name === "string" && name !== "" ? name : id;
}
