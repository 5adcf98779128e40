import { z } from "zod";
import { kinds as names } from "../../provider/src/resources/reviews.ts";
import { variableOf } from "../../provider/src/runtime/configuration.ts";
import { packageName } from "../../provider/src/runtime/tokens.ts";
import { commentsOfResources } from "./comments.ts";
import { code, firstSentence, page, table, textOf } from "./markdown.ts";
import { examplesOf } from "./resources.ts";

// The two pages that Pulumi's registry shows beside the reference, which it makes from the schema. It reads them from the repository at the tag.

const schema = z.object({
  version: z.string(),
  config: z.object({ variables: z.record(z.string(), z.object({ description: z.string(), secret: z.boolean().optional() })) }),
});

/** The resource whose example has the most other resources. */
const shown = "ClusterEndpoint";

export function overviewParts() {
  const comments = commentsOfResources();
  const examples = examplesOf(shown);
  return {
    resources: names
      .map((name) => `- ${code(name)}: ${firstSentence(comments.get(name)?.summary ?? "").replaceAll(/\s+/g, " ")}`)
      .join("\n"),
    example: page(
      `{{< chooser language "${examples.map(({ tag }) => tag).join(",")}" >}}`,
      ...examples.map(({ tag, text }) => `{{% choosable language ${tag} %}}\n\n\`\`\`${tag}\n${text}\`\`\`\n\n{{% /choosable %}}`),
      "{{< /chooser >}}",
    ),
  };
}

/** @param plugin the schema of the plugin, as JSON */
export function configurationParts(plugin: string) {
  const { version, config } = schema.parse(JSON.parse(plugin));
  const added = /^pulumi package add \S+$/m.exec(textOf("docs/get-started/yaml-python-go.md"))?.[0] ?? "";
  return {
    installation: `\`\`\`text\n${added.replace(/@[\d.]+$/, `@${version}`)}\n\`\`\``,
    settings: table(
      ["Setting", "Environment variable", "Secret", "Description"],
      Object.entries(config.variables).map(([key, { description, secret = false }]) => [
        code(`${packageName}:${key}`),
        code(variableOf(key)),
        secret ? "yes" : "no",
        description,
      ]),
    ),
  };
}
