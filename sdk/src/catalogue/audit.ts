import { z } from "zod";
import { operations, spelt } from "../operation/operation.ts";

const operation = operations("audit", "2019-03-19");

const event = z.object({
  eventId: z.string().describe("Id of the event."),
  eventName: z.string().describe("The operation, such as `CreateVpc`."),
  eventTime: z.string().describe("When the call was made, ISO 8601."),
  username: z.string().describe("Who made it: name of the account or sub-account."),
  requestId: spelt("RequestID", z.string()).describe("The `RequestId` with which the call was answered."),
  eventSource: z.string().optional().describe("The product that was called."),
  eventRegion: z.string().optional().describe("The region that was called."),
  resourceRegion: z
    .string()
    .optional()
    .describe("Region of the resources: the one that was called, unless the call named another; the call is found there."),
  resources: z
    .object({
      resourceType: z.string().describe("Product of the resources."),
      resourceName: z
        .string()
        .describe("Ids and names of the resources, joined by commas: those in the call, and for a write those in its answer."),
    })
    .describe("The resources that the call was about."),
  errorCode: z.int().optional().describe("0 if the call was carried out, 1 if it was refused."),
  apiErrorCode: z
    .string()
    .optional()
    .describe("Code with which the call was refused, such as `ResourceInUse`; empty if it was carried out."),
  accountId: spelt("AccountID", z.int().optional()).describe("Id of the main account."),
  cloudAuditEvent: z.string().optional().describe("The whole event, as JSON text."),
});

export const lookUpEvents = operation("LookUpEvents", () => ({
  summary: "Finds recorded calls of the region by time and attributes, newest first.",
  input: {
    startTime: z.int().describe("Start of the window, Unix seconds, such as `1767182400`."),
    endTime: z.int().describe("End of the window, Unix seconds, such as `1767268800`, later than `StartTime`; this second is included."),
    lookupAttributes: z
      .array(
        z.object({
          attributeKey: z
            .string()
            .describe("Name of the attribute: `ResourceName`, `ResourceType`, `EventName`, `Username`, `RequestId` or `ReadOnly`."),
          attributeValue: z
            .string()
            .optional()
            .describe("The value, compared as a whole. `ResourceName`: any id or name of the event. `ReadOnly`: `true` or `false`."),
        }),
      )
      .optional()
      .describe("Attributes of the events; all of them must match."),
    nextToken: z.string().optional().describe("Token of the next page, as answered with the page before."),
    maxResults: z.int().optional().describe("Events to answer at most, 1 to 50; 50 unless given."),
    mode: z.enum(["standard", "quick"]).optional().describe("How the platform searches: `standard`, the default, or `quick`."),
  },
  output: {
    nextToken: z.string().optional().describe("Token of the next page; absent with the last page."),
    events: z.array(event).describe("The events, newest first. It is no error if none match."),
    listOver: z.boolean().optional().describe("Whether this was the last page."),
    totalCount: z.int().optional().describe("Events that match, on this page or not."),
  },
  errors: ["InvalidParameterValue.Time", "InvalidParameterValue.MaxResult", "InvalidParameterValue.attributeKey"],
  effect: "read",
  pages: { by: "token", items: "events", token: "nextToken" },
  source: "specification",
}));
