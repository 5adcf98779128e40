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
import { onWorld, worldOptions } from "./reach.ts";

const listing = commandOf({ name: "world faults list", options: { ...worldOptions, ...outputOptions } }, async ({ given }) => {
  const show = await showing(given);
  await onWorld(
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
  product: { value: "PRODUCT", values: products, summary: "Calls of this product; of all unless given." },
  action: { value: "ACTION", summary: "Calls of this action; of all unless given." },
  version: { value: "DATE", summary: "Calls of this version of it; of all unless given." },
  when: { value: "WHEN", values: ["before", "after"], summary: "Whether a call fails before it has its effect, or after." },
  code: { value: "CODE", summary: "What it is answered with; unless given, the connection is dropped." },
  delay: { value: "MILLISECONDS", summary: "By how much its answer is late." },
  thing: { value: "THING", summary: "Instead of calls: resources that end badly, such as cluster or node." },
  end: { value: "STATE", summary: "The state that such a resource ends in." },
  reason: { value: "TEXT", summary: "The platform's words about it." },
  resource: { value: "ID", summary: "Only what tells this id or name." },
  nth: { value: "NUMBER", summary: "The first one that is hit, counted from now on; 1 unless given." },
  times: { value: "NUMBER", summary: "How many are hit; 1 unless given, and with a probability as many as come." },
  probability: { value: "NUMBER", summary: "Instead of --nth: each is hit with this probability, 0 to 1." },
  seed: { value: "TEXT", summary: "What that is drawn from; the world's seed unless given." },
  "per-second": { value: "NUMBER", summary: "Instead of --nth: so many get through within any second, the others are hit." },
} as const;

const addition = {
  name: "world faults add",
  options: { ...fields, ...worldOptions },
  more: `Prints the id of the fault. The third CreateVpc from now on is carried out, but its answer gets lost:
  cpcli world faults add --product vpc --action CreateVpc --nth 3 --when after
At most 20 calls a second of a product are answered:
  cpcli world faults add --product vpc --per-second 20 --when before --code RequestLimitExceeded
The next cluster cannot be made:
  cpcli world faults add --thing cluster --end Abnormal --reason "no capacity"
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
    thing,
    end,
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
  const texts = present({ when, code, thing, end, reason, resource, seed });
  const fault = checkedFault({ ...(Object.keys(operation).length > 0 && { operation }), ...numbers, ...texts });
  await onWorld(given, async (control) => {
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

const removing = commandOf({ name: "world faults remove", words: ["<id>"], options: worldOptions }, async ({ words: [id = ""], given }) => {
  if (!/^\d+$/.test(id)) throw new UsageError(`${id} is no id of a fault: it is a number`, "`cpcli world faults list` prints them.");
  await onWorld(given, (control) => control.removeFault(Number(id)), { making: false });
});

const clearing = commandOf({ name: "world faults clear", options: worldOptions }, async ({ given }) => {
  await onWorld(given, (control) => control.clearFaults(), { making: false });
});

/** `cpcli world faults`. */
export const runFaults: Run = groupOf(
  "world faults",
  new Map([
    ["list", { summary: "Prints those that are still to come.", load: () => Promise.resolve(listing) }],
    ["add", { summary: "Asks for one.", load: () => Promise.resolve(adding) }],
    ["remove", { summary: "Takes one away.", load: () => Promise.resolve(removing) }],
    ["clear", { summary: "Takes all of them away.", load: () => Promise.resolve(clearing) }],
  ]),
);
