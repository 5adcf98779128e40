import { z } from "zod";
import { InputError } from "../operation/errors.ts";
import { LocalControl, type WorldControl } from "../local/control/control.ts";
import { checkedSnapshot } from "../local/control/snapshot.ts";
import { checkedFault } from "../local/faults/faults.ts";
import { timeScales } from "../local/time.ts";
import type { World } from "../local/store/world.ts";
import { identified, signedBy } from "./authentication.ts";
import { controlService, headerOf, type Incoming, json, type Outgoing } from "./http-messages.ts";

type Command = (control: WorldControl, input: unknown) => Promise<unknown>;

function command<Input extends z.ZodType>(input: Input, run: (control: WorldControl, input: z.output<Input>) => Promise<unknown>): Command {
  return (control, given) => run(control, input.parse(given));
}

const nothing = z.strictObject({});
const anything = z.record(z.string(), z.unknown());
const timeScale = z.enum(timeScales);

/** The methods of `WorldControl` by name, with the schema of their input. */
const commands: ReadonlyMap<string, Command> = new Map([
  ["status", command(nothing, (control) => control.status())],
  ["setTime", command(z.strictObject({ time: z.number() }), (control, { time }) => control.setTime(time))],
  ["advance", command(z.strictObject({ milliseconds: z.number() }), (control, { milliseconds }) => control.advance(milliseconds))],
  ["freeze", command(nothing, (control) => control.freeze())],
  ["unfreeze", command(nothing, (control) => control.unfreeze())],
  ["setTimeScale", command(z.strictObject({ timeScale }), (control, { timeScale }) => control.setTimeScale(timeScale))],
  ["faults", command(nothing, (control) => control.faults())],
  ["addFault", command(anything, (control, fault) => control.addFault(checkedFault(fault)))],
  ["removeFault", command(z.strictObject({ id: z.int() }), (control, { id }) => control.removeFault(id))],
  ["clearFaults", command(nothing, (control) => control.clearFaults())],
  [
    "reset",
    command(z.strictObject({ seed: z.string().exactOptional(), timeScale: timeScale.exactOptional() }), (control, input) =>
      control.reset(input),
    ),
  ],
  ["snapshot", command(z.strictObject({ audit: z.boolean().exactOptional() }), (control, input) => control.snapshot(input))],
  ["restore", command(anything, (control, snapshot) => control.restore(checkedSnapshot(snapshot)))],
]);

/**
 * Carries out a command that is signed with a key of the world's first main account. A connection from the same machine is not
 * enough: a snapshot holds secrets that the machine's other users must not see.
 */
export async function answerControl(world: World, incoming: Incoming): Promise<Outgoing> {
  if (incoming.method !== "POST") return refused(405, `a command is a POST, not a ${incoming.method}`);
  const signed = signedBy(incoming.headers);
  const { caller, refusal } = identified(world, signed, incoming);
  if (!caller || refusal) return refused(401, refusal?.reason ?? "the call is not signed");
  const service = signed.claim?.service ?? "";
  if (service !== controlService) return refused(401, `a command is signed with the product ${controlService}, and not ${service}`);
  if (caller.uin !== world.account) return refused(403, `${caller.uin} cannot control the world; its first account ${world.account} can`);
  const name = headerOf(incoming.headers, `${signed.wireFormat.headers}action`) ?? "";
  return carryOut(world, name, incoming.body);
}

/** Carries out the command of a name, whose input is JSON. */
export async function carryOut(world: World, name: string, body: Uint8Array): Promise<Outgoing> {
  const known = commands.get(name);
  if (!known) return refused(404, `there is no command ${name}; there are ${[...commands.keys()].join(", ")}`);
  try {
    const result = await known(new LocalControl(world), JSON.parse(Buffer.from(body).toString()));
    return json(200, { result: result ?? null });
  } catch (error) {
    return refused(400, complaintOf(name, error));
  }
}

/** The message about a wrong command. Other errors are failures of the platform, and are thrown again. */
function complaintOf(name: string, error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (error instanceof SyntaxError) return "the body is not JSON";
  if (error instanceof z.ZodError) return `${name}: ${error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ")}`;
  throw error;
}

function refused(status: number, error: string): Outgoing {
  return json(status, { error });
}
