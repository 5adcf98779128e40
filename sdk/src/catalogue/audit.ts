import { z } from "zod";
import { boolean, int, object, objects, operations, spelt, string } from "../operation/operation.ts";

const { operation } = operations("audit", "2019-03-19");

export const lookUpEvents = operation("LookUpEvents", () => ({
  summary: "Finds recorded calls of the region by time and attributes, newest first.",
  input: {
    startTime: int("Start of the window, Unix seconds, such as `1767182400`."),
    endTime: int("End of the window, Unix seconds, such as `1767268800`, later than `StartTime`; this second is included."),
    lookupAttributes: objects("Attributes of the events; all of them must match.", {
      attributeKey: string("Name of the attribute: `ResourceName`, `ResourceType`, `EventName`, `Username`, `RequestId` or `ReadOnly`."),
      attributeValue: string(
        "The value, compared as a whole. `ResourceName`: any ID or name of the event. `ReadOnly`: `true` or `false`.",
      ).optional(),
    }).optional(),
    nextToken: string("Token of the next page, from the response with the previous page.").optional(),
    maxResults: int("Maximum number of events, 1 to 50; 50 unless given.").optional(),
    mode: z.enum(["standard", "quick"]).optional().describe("How the platform searches: `standard`, the default, or `quick`."),
  },
  output: {
    nextToken: string("Token of the next page; absent with the last page.").optional(),
    events: objects("The events, newest first; an empty list if no event matches.", {
      eventId: string("ID of the event."),
      eventName: string("The operation, such as `CreateVpc`."),
      eventTime: string("Time of the call, ISO 8601."),
      username: string("Caller: name of the account or sub-account."),
      requestId: spelt("RequestID", string("The `RequestId` of the response.")),
      eventSource: string("The product that was called.").optional(),
      eventRegion: string("The region that was called.").optional(),
      resourceRegion: string(
        "Region of the resources: the one that was called, unless the call named another; the call is found there.",
      ).optional(),
      resources: object("The resources that the call was about.", {
        resourceType: string("Product of the resources."),
        resourceName: string(
          "IDs and names of the resources, separated by commas: those of the call, and for a write also those of the response.",
        ),
      }),
      errorCode: int("0 if the call succeeded, 1 if it was rejected.").optional(),
      apiErrorCode: string("Error code of a rejected call, such as `ResourceInUse`; empty if the call succeeded.").optional(),
      accountId: spelt("AccountID", int("ID of the main account.").optional()),
      cloudAuditEvent: string("The whole event, as JSON text.").optional(),
    }),
    listOver: boolean("Whether this was the last page.").optional(),
    totalCount: int("Events that match, on this page or not.").optional(),
  },
  errors: ["InvalidParameterValue.Time", "InvalidParameterValue.MaxResult", "InvalidParameterValue.attributeKey"],
  pages: { by: "token", items: "events", token: "nextToken" },
}));
