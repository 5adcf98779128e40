import messages from "@pulumi/pulumi/proto/resource_pb.js";

/**
 * Pulumi's SDK writes the text of each of the engine's answers into its debug log, and so into event logs, with all secrets in plain text.
 * This replaces the text by the resource's URN. Nothing else uses the texts of these answers.
 */
export function keepAnswersOutOfLogs(): void {
  for (const { prototype } of [messages.RegisterResourceResponse, messages.ReadResourceResponse])
    prototype.toString = function (this: { getUrn(): string }) {
      return this.getUrn();
    };
}
