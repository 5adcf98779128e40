import type { Cloud } from "@container-platform/sdk";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ProviderError } from "../definition/codes.ts";
import { nativeToken } from "../runtime/tokens.ts";
import { asSecret } from "../schema/secrets.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";
import type { ProviderProcess } from "../dynamic/provider-process.ts";
import { received, struct } from "./properties.ts";

/** A function, as it is called from any language. */
export interface Callable {
  readonly name: string;
  /** Whether all that it answers is a secret. */
  readonly secret?: true;
  readonly answer: (given: Props, connect: () => Promise<Cloud>) => Promise<Props>;
}

/** Loads all functions. */
export type Functions = () => Promise<readonly Callable[]>;

/** Calls a function. */
export async function invoke(load: Functions, process: ProviderProcess, request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
  const token = request.getTok();
  const functions = await load();
  const asked = functions.find(({ name }) => nativeToken(name) === token);
  if (!asked)
    throw new ProviderError(
      "WrongVersion",
      `this version of the plugin has no function ${token}; it has ${functions.map(({ name }) => name).join(", ")}: install the version that the program was written for`,
    );
  const { props: given, secrets } = received(request.getArgs());
  if (holdsUnknown(given)) throw new ProviderError("InvalidInput", `${asked.name}: takes no value that is known after \`pulumi up\` only`);
  // Languages differ in how they leave an argument out.
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const answer = await process.plainly({}, () => asked.answer(args, () => process.cloud()));
  // What is made of a secret is one. The SDKs differ in whether they see to that.
  const isSecret = asked.secret === true || secrets.length > 0;
  const hidden = Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, asSecret(value)]));
  return new messages.InvokeResponse().setReturn(struct(isSecret ? hidden : answer));
}
