import fc from "fast-check";
import { expect, test } from "vitest";
import { MeetingPlaces } from "./meeting-places.ts";
import { meetingOf } from "./sole.ts";
import { type Props, unknown } from "../../../schema/values.ts";

const kind = {
  sole: [
    { by: "name", as: "name" },
    { by: "range", as: "range", meets: "inner" },
    { by: "inner", as: "range" },
  ],
} as const;

const rangeV4 = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 12, max: 20 }))
  .map(([part, prefix]) => `10.${part}.${part * 16}.0/${prefix}`);
const rangeV6 = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 30, max: 34 }))
  .map(([part, prefix]) => `2001:${part}::/${prefix}`);
const range = fc.option(fc.oneof(rangeV4, rangeV6, fc.constantFrom("", unknown, "no range")), { nil: undefined });
const props = fc.record({ name: fc.option(fc.constantFrom("a", "b", "", unknown), { nil: undefined }), range, inner: range });

test("whatever meets a resource is found near it, also after others were changed and removed", () => {
  fc.assert(
    fc.property(fc.array(props, { maxLength: 12 }), fc.array(fc.tuple(fc.nat(11), props), { maxLength: 6 }), props, (all, changes, one) => {
      const places = new MeetingPlaces(kind);
      const known = new Map<string, Props>(all.map((inputs, index) => [String(index), inputs]));
      for (const [urn, inputs] of known) places.add(urn, inputs);
      for (const [index, inputs] of changes) {
        const before = known.get(String(index));
        if (!before) continue;
        places.remove(String(index), before);
        if (index % 2 === 0) known.delete(String(index));
        else {
          known.set(String(index), inputs);
          places.add(String(index), inputs);
        }
      }
      const near = places.near(one);
      const meeting = [...known].flatMap(([urn, inputs]) => (meetingOf(kind, one, inputs, () => true) ? [urn] : []));
      expect(meeting.filter((urn) => !near.has(urn))).toEqual([]);
      expect([...near].filter((urn) => !known.has(urn))).toEqual([]);
    }),
  );
});

test("what cannot meet a resource is not looked at", () => {
  const places = new MeetingPlaces(kind);
  for (let index = 0; index < 100; index++) places.add(`subnet-${index}`, { name: `${index}`, range: `10.0.${index}.0/24` });
  expect([...places.near({ name: "none", inner: "10.0.7.0/28" })]).toEqual(["subnet-7"]);
  expect([...places.near({ inner: "10.0.8.0/23" })]).toEqual(["subnet-8", "subnet-9"]);
  expect([...places.near({ name: "12" })]).toEqual(["subnet-12"]);
});
