import { lookUpEvents } from "../../catalogue/audit.ts";
import { type Difference, differs } from "../rule.ts";

export const auditDifferences: readonly Difference[] = [
  differs(lookUpEvents, {
    answer: {
      events: {
        fields: {
          // Times are those of Beijing there.
          eventTime: { hoursAhead: 8 },
          apiErrorCode: { there: false },
          // The fields of recorded calls have roles of clusters in them.
          cloudAuditEvent: { anywhere: ['"svc:', '"tke:'] },
        },
      },
    },
  }),
];
