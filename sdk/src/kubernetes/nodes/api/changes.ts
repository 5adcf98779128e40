import { z } from "zod";
import type { ApiClient } from "../../control-plane/api-client.ts";

const refusal = z.object({ message: z.string() });

/** What patches are called on the wire. */
export const patches = { merge: "application/merge-patch+json", strategic: "application/strategic-merge-patch+json" } as const;

/** There is no such object, or it is another one by now, or may not go yet. */
const meanwhile: readonly number[] = [404, 409, 429];

/**
 * Changes an object. Answers how it is then; `undefined` if it has changed meanwhile, so that this is not to be done any more.
 *
 * @throws an error with the message of the API server if it refuses the change otherwise.
 */
export async function change(
  api: ApiClient,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  asked: { readonly body: object; readonly type?: string },
): Promise<object | undefined> {
  const { status, body } = await api.ask(method, path, asked);
  if (status >= 200 && status < 300) return typeof body === "object" && body !== null ? body : {};
  if (meanwhile.includes(status)) return undefined;
  throw new Error(refusal.safeParse(body).data?.message ?? `the API server answered ${status} to a ${method} of ${path}`);
}

/** Removes an object at once, if it is still the one of that uid. */
export async function remove(api: ApiClient, path: string, uid: string): Promise<void> {
  await change(api, "DELETE", path, { body: { gracePeriodSeconds: 0, preconditions: { uid } } });
}
