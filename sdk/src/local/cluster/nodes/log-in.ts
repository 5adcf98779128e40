import type { z } from "zod";
import type { loginSettings } from "../../../catalogue/cluster/structures.ts";
import { listed } from "../../../formats/lists.ts";
import type { Call } from "../../behaviour.ts";
import { instances, keyPairs } from "../../compute/tables.ts";
import { requireRow } from "../../requests/require-row.ts";
import { publicImageIds } from "./public-images.ts";

/** How one can log in to machines that become nodes. */

/**
 * Refuses invalid log-in settings (specification, LoginSettings): the three ways exclude each other, there is one key at most and
 * none for Windows, and the image's own log-in needs an image that is not a public one.
 */
export function refuseLogin(
  call: Call<"ResourceNotFound">,
  login: Login | undefined,
  instanceIds: readonly string[],
  imageId?: string,
): void {
  const found = instanceIds.flatMap((id) => call.rows(instances).get(id) ?? []);
  refuseLoginWith(
    call,
    login,
    found.map((instance) => ({ name: instance.id, imageId: imageId ?? instance.imageId, osName: instance.osName })),
  );
}

const wireNames = { password: "Password", keyIds: "KeyIds", keepImageLogin: "KeepImageLogin" } as const;

type Login = z.output<typeof loginSettings>;

interface Installed {
  /** Its name in messages: the id of the instance, or the parameter that asks for it. */
  readonly name: string;
  readonly imageId: string;
  readonly osName: string;
}

/** Like `refuseLogin`, for machines that do not exist yet. */
export function refuseLoginWith(call: Call<"ResourceNotFound">, login: Login | undefined, machines: readonly Installed[]): void {
  if (!login) return;
  const keyIds = login.keyIds ?? [];
  const keepsImageLogin = isKept(call, login);
  const given = (["password", "keyIds", "keepImageLogin"] as const).flatMap((way) => (login[way] === undefined ? [] : [wireNames[way]]));
  if (given.length > 1) throw call.error("InvalidParameter", `LoginSettings has ${listed(given)}; they exclude each other, give one`);
  if (keyIds.length > 1) throw call.error("InvalidParameter", `LoginSettings.KeyIds has ${keyIds.length} keys; only one is supported`);
  for (const id of keyIds) requireRow(call, keyPairs, "key pair", id);
  const windows = machines.filter(({ osName }) => /windows/i.test(osName));
  if (keyIds.length > 0 && windows.length > 0)
    throw call.error(
      "InvalidParameter",
      `LoginSettings.KeyIds is given, but ${namesOf(windows)} runs Windows, which takes no keys; give a Password`,
    );
  const publicOnes = machines.filter(({ imageId }) => keepsImageLogin && publicImageIds.includes(imageId));
  if (publicOnes.length > 0)
    throw call.error(
      "InvalidParameter",
      `KeepImageLogin is true, but ${namesOf(publicOnes)} has a public image, such as DescribeOSImages lists; it takes custom, shared and imported images`,
    );
}

function isKept(call: Call, { keepImageLogin = "false" }: Login): boolean {
  if (keepImageLogin !== "true" && keepImageLogin !== "false")
    throw call.error("InvalidParameter", `LoginSettings.KeepImageLogin is ${JSON.stringify(keepImageLogin)}; it takes true or false`);
  return keepImageLogin === "true";
}

function namesOf(machines: readonly Installed[]): string {
  return machines.map(({ name }) => name).join(", ");
}
