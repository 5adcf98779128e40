import { z } from "zod";
import { kinds as names } from "../../provider/src/resources/reviews.ts";
import { variableOf } from "../../provider/src/runtime/configuration.ts";
import { packageName } from "../../provider/src/runtime/tokens.ts";
import { commentsOfResources } from "./comments.ts";
import { code, firstSentence, page, table, textOf } from "./markdown.ts";
import { examplesOf } from "./resources.ts";

// The two pages that Pulumi's registry shows beside the reference, which it makes from the schema. It reads them from the repository at the tag.

const schema = z.object({
  displayName: z.string(),
  version: z.string(),
  description: z.string(),
  config: z.object({ variables: z.record(z.string(), z.object({ description: z.string(), secret: z.boolean().optional() })) }),
});

/** The resource whose example has the most other resources. */
const shown = "ClusterEndpoint";

/** @param plugin the schema of the plugin, as JSON */
export function registryPages(plugin: string): [file: string, text: string][] {
  const about = schema.parse(JSON.parse(plugin));
  return [
    ["_index.md", overviewPage(about)],
    ["installation-configuration.md", configurationPage(about)],
  ];
}

function overviewPage({ displayName, description }: z.output<typeof schema>): string {
  const comments = commentsOfResources();
  const examples = examplesOf(shown);
  const languages = examples.map(({ tag }) => tag).join(",");
  return page(
    frontMatter(displayName, description),
    textOf("README.md").split("\n\n")[1],
    "## Resources",
    names.map((name) => `- ${code(name)}: ${firstSentence(comments.get(name)?.summary ?? "").replaceAll(/\s+/g, " ")}`).join("\n"),
    "## Example",
    `{{< chooser language "${languages}" >}}`,
    ...examples.map(({ tag, text }) => `{{% choosable language ${tag} %}}\n\n\`\`\`${tag}\n${text}\`\`\`\n\n{{% /choosable %}}`),
    "{{< /chooser >}}",
  );
}

function configurationPage({ displayName, version, description, config }: z.output<typeof schema>): string {
  const added = /^pulumi package add \S+$/m.exec(textOf("docs/get-started/yaml-python-go.md"))?.[0] ?? "";
  return page(
    frontMatter(`${displayName} Installation & Configuration`, `Installation and configuration of the provider: ${description}.`),
    "## Installation",
    `Pulumi generates the SDK of your language from the plugin. Run this in your project, with the address of the plugin's repository:`,
    `\`\`\`text\n${added.replace(/@[\d.]+$/, `@${version}`)}\n\`\`\``,
    "You need Node 22.19 or newer. Programs in TypeScript can use the npm package `@container-platform/pulumi` without the plugin.",
    "## Configuration",
    "A setting is read from the stack, or from the environment variable, which wins. Set the settings that are secrets with `--secret`.",
    table(
      ["Setting", "Environment variable", "Secret", "Description"],
      Object.entries(config.variables).map(([key, { description: text, secret = false }]) => [
        code(`${packageName}:${key}`),
        code(variableOf(key)),
        secret ? "yes" : "no",
        text,
      ]),
    ),
    "With the endpoint `local`, the provider deploys to an emulator on your machine, and needs no key.",
  );
}

function frontMatter(title: string, description: string): string {
  return `---\ntitle: ${title}\nmeta_desc: "${description}"\nlayout: package\n---`;
}
