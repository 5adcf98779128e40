import { categories } from "../../sdk/src/images/requirements/requirements.fixture.ts";
import { page, table } from "./markdown.ts";

/** The page that lists the requirements of the distribution specification, each of which a test shows, by file name. */
export function distributionPage(): Map<string, string> {
  const count = categories.flatMap(({ requirements }) => requirements).length;
  const text = page(
    "# Conformance with the distribution specification",
    `Written from \`sdk/src/images/requirements\` by \`npm run fix\`: what the [distribution specification](https://github.com/opencontainers/distribution-spec/blob/main/spec.md) of the Open Container Initiative requires of a registry, in its four categories. Each of the ${count} rows is a test that drives [a served registry](images.md) over HTTP. Numbers such as end-3 are those of the specification's endpoints.`,
    ...categories.flatMap(({ name, requirements }) => [
      `## ${name}`,
      table(
        ["A registry does this"],
        requirements.map(({ says }) => [says]),
      ),
    ]),
  );
  return new Map([["distribution.md", text]]);
}
