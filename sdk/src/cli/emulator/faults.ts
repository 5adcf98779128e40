import { checkedFault } from "../../local/faults/fault.ts";
import { isObject, type JsonObject } from "../../operation/codec.ts";
import type { Run } from "../command/command.ts";
import { UsageError } from "../run/failures.ts";
import { groupOf } from "../command/group.ts";
import { outputOptions } from "../command/options.ts";
import { products } from "../../operation/operation.ts";
import { print } from "../output/print.ts";
import { showing } from "../output/showing.ts";
import { commandOf } from "../command/usage.ts";
import { emulatorOptions, onEmulator } from "./reach.ts";

const listing = commandOf({ name: "emulator faults list", options: { ...emulatorOptions, ...outputOptions } }, async ({ given }) => {
  const show = await showing(given);
  await onEmulator(
    given,
    async (control) => {
      show(
        (await control.faults()).map(({ id, fault, met, hit }): JsonObject => ({ id, ...asJson(fault), met, hit })),
        "faults",
      );
    },
    { making: false },
  );
});

function asJson(fault: object): JsonObject {
  const data: unknown = JSON.parse(JSON.stringify(fault));
  return isObject(data) ? data : {};
}

const fields = {
  product: { value: "PRODUCT", values: products, summary: "Product whose calls match. Default: all products." },
  action: { value: "ACTION", summary: "Action whose calls match. Default: all actions." },
  version: { value: "DATE", summary: "Version of the action. Default: all versions." },
  when: {
    value: "WHEN",
    values: ["before", "after"],
    summary: "before: the call fails without effect. after: the call takes effect, and its response is lost.",
  },
  code: { value: "CODE", summary: "Error code of the response. Default: no response, the connection is lost." },
  delay: { value: "MILLISECONDS", summary: "Milliseconds by which the response is late." },
  "resource-type": { value: "TYPE", summary: "Type of a resource that fails, in place of calls: cluster, node and others." },
  "end-state": { value: "STATE", summary: "State in which the resource ends. Requires --resource-type." },
  reason: { value: "TEXT", summary: "Message of the error, or reason of the state. Required with --end-state." },
  resource: { value: "ID", summary: "Matches only calls that name this ID or name." },
  nth: { value: "NUMBER", summary: "First match that is hit, counted from now. Default: 1." },
  times: { value: "NUMBER", summary: "Number of matches that are hit. Default: 1; no limit with --probability or --per-second." },
  probability: { value: "NUMBER", summary: "Hits each match with this probability, 0 to 1, in place of --nth." },
  seed: { value: "TEXT", summary: "Seed of --probability. Default: the seed of the database." },
  "per-second": {
    value: "NUMBER",
    summary: "Rate limit: lets this number of matches through in each second and hits the others, in place of --nth.",
  },
} as const;

const addition = {
  name: "emulator faults add",
  options: { ...fields, ...emulatorOptions },
  more: `Prints the ID of the fault. The third CreateVpc from now on takes effect, but its response is lost:
  cpcli emulator faults add --product vpc --action CreateVpc --nth 3 --when after
A product accepts at most 20 requests per second:
  cpcli emulator faults add --product vpc --per-second 20 --when before --code RequestLimitExceeded
The next cluster ends in the state Abnormal:
  cpcli emulator faults add --resource-type cluster --end-state Abnormal --reason "no capacity"
`,
} as const;

const adding = commandOf(addition, async ({ given }) => {
  const {
    product,
    action,
    version,
    delay,
    nth,
    times,
    probability,
    "per-second": perSecond,
    when,
    code,
    "resource-type": resourceType,
    "end-state": endState,
    reason,
    resource,
    seed,
  } = given;
  const operation = present({ product, action, version });
  const numbers = present({
    delay: numberFrom(delay),
    nth: numberFrom(nth),
    times: numberFrom(times),
    probability: numberFrom(probability),
    perSecond: numberFrom(perSecond),
  });
  const texts = present({ when, code, resourceType, endState, reason, resource, seed });
  const fault = checkedFault({ ...(Object.keys(operation).length > 0 && { operation }), ...numbers, ...texts });
  await onEmulator(given, async (control) => {
    print(`${await control.addFault(fault)}\n`);
  });
});

function present<Value>(fields: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A text that is no number stays a text: the check of the fault says what is allowed. */
function numberFrom(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const removing = commandOf(
  { name: "emulator faults remove", words: ["<id>"], options: emulatorOptions },
  async ({ words: [id = ""], given }) => {
    if (!/^\d+$/.test(id)) throw new UsageError(`${id} is no id of a fault: it is a number`, "`cpcli emulator faults list` prints them.");
    await onEmulator(given, (control) => control.removeFault(Number(id)), { making: false });
  },
);

const clearing = commandOf({ name: "emulator faults clear", options: emulatorOptions }, async ({ given }) => {
  await onEmulator(given, (control) => control.clearFaults(), { making: false });
});

/** `cpcli emulator faults`. */
export const runFaults: Run = groupOf(
  "emulator faults",
  new Map([
    ["list", { summary: "Prints the faults that can still take effect.", load: () => Promise.resolve(listing) }],
    ["add", { summary: "Adds a fault.", load: () => Promise.resolve(adding) }],
    ["remove", { summary: "Removes a fault.", load: () => Promise.resolve(removing) }],
    ["clear", { summary: "Removes all faults.", load: () => Promise.resolve(clearing) }],
  ]),
);
