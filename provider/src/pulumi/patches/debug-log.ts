import messages from "@pulumi/pulumi/proto/resource_pb.js";

/**
 * Pulumi's SDK writes each answer of the engine into its debug log, and so into event logs, with its secrets in clear: it makes a text
 * of the answer. From now on that text is the resource's URN. Nothing else makes a text of these answers.
 */
export function keepAnswersOutOfLogs(): void {
  for (const { prototype } of [messages.RegisterResourceResponse, messages.ReadResourceResponse])
    prototype.toString = function (this: { getUrn(): string }) {
      return this.getUrn();
    };
}
