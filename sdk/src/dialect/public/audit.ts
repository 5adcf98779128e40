import { lookUpEvents } from "../../catalogue/audit.ts";
import { type Difference, differs } from "../rule.ts";

export const auditDifferences: readonly Difference[] = [
  // Times are those of Beijing there.
  differs(lookUpEvents, { answer: { events: { fields: { eventTime: { hoursAhead: 8 }, apiErrorCode: { there: false } } } } }),
];
