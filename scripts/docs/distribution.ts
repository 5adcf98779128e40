import { categories } from "../../sdk/src/served/registries/requirements/requirements.fixture.ts";
import { page, table } from "./markdown.ts";

/** The page that lists the requirements of the distribution specification, each of which a test shows, by file name. */
export function distributionPage(): Map<string, string> {
  const count = categories.flatMap(({ requirements }) => requirements).length;
  const text = page(
    "# Conformance with the distribution specification",
    "Look up the requirements of the [distribution specification](https://github.com/opencontainers/distribution-spec/blob/main/spec.md) of the Open Container Initiative that the registries of the emulator meet.",
    `\`npm run fix\` writes this page from \`sdk/src/served/registries/requirements\`. Each of the ${count} rows is a test that sends HTTP requests to [a served registry](../guides/emulator-registries.md). Numbers such as end-3 are endpoints of the specification.`,
    ...categories.flatMap(({ name, requirements }) => [
      `## ${name}`,
      table(
        ["Requirement"],
        requirements.map(({ says }) => [says]),
      ),
    ]),
  );
  return new Map([["contributing/distribution.md", text]]);
}
