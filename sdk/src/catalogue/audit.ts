import { z } from "zod";
import { object, objects, operations, spelt } from "../operation/operation.ts";

const { operation } = operations("audit", "2019-03-19");

const event = z.object({
  eventId: z.string().describe("ID of the event."),
  eventName: z.string().describe("The operation, such as `CreateVpc`."),
  eventTime: z.string().describe("Time of the call, ISO 8601."),
  username: z.string().describe("Caller: name of the account or sub-account."),
  requestId: spelt("RequestID", z.string()).describe("The `RequestId` of the response."),
  eventSource: z.string().optional().describe("The product that was called."),
  eventRegion: z.string().optional().describe("The region that was called."),
  resourceRegion: z
    .string()
    .optional()
    .describe("Region of the resources: the one that was called, unless the call named another; the call is found there."),
  resources: object("The resources that the call was about.", {
    resourceType: z.string().describe("Product of the resources."),
    resourceName: z
      .string()
      .describe("IDs and names of the resources, separated by commas: those of the call, and for a write also those of the response."),
  }),
  errorCode: z.int().optional().describe("0 if the call succeeded, 1 if it was rejected."),
  apiErrorCode: z.string().optional().describe("Error code of a rejected call, such as `ResourceInUse`; empty if the call succeeded."),
  accountId: spelt("AccountID", z.int().optional()).describe("ID of the main account."),
  cloudAuditEvent: z.string().optional().describe("The whole event, as JSON text."),
});

export const lookUpEvents = operation("LookUpEvents", () => ({
  summary: "Finds recorded calls of the region by time and attributes, newest first.",
  input: {
    startTime: z.int().describe("Start of the window, Unix seconds, such as `1767182400`."),
    endTime: z.int().describe("End of the window, Unix seconds, such as `1767268800`, later than `StartTime`; this second is included."),
    lookupAttributes: objects("Attributes of the events; all of them must match.", {
      attributeKey: z
        .string()
        .describe("Name of the attribute: `ResourceName`, `ResourceType`, `EventName`, `Username`, `RequestId` or `ReadOnly`."),
      attributeValue: z
        .string()
        .optional()
        .describe("The value, compared as a whole. `ResourceName`: any ID or name of the event. `ReadOnly`: `true` or `false`."),
    }).optional(),
    nextToken: z.string().optional().describe("Token of the next page, from the response with the previous page."),
    maxResults: z.int().optional().describe("Maximum number of events, 1 to 50; 50 unless given."),
    mode: z.enum(["standard", "quick"]).optional().describe("How the platform searches: `standard`, the default, or `quick`."),
  },
  output: {
    nextToken: z.string().optional().describe("Token of the next page; absent with the last page."),
    events: z.array(event).describe("The events, newest first; an empty list if no event matches."),
    listOver: z.boolean().optional().describe("Whether this was the last page."),
    totalCount: z.int().optional().describe("Events that match, on this page or not."),
  },
  errors: ["InvalidParameterValue.Time", "InvalidParameterValue.MaxResult", "InvalidParameterValue.attributeKey"],
  pages: { by: "token", items: "events", token: "nextToken" },
}));
