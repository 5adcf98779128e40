import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestIn } from "./entry-points.js";

// `npm run release:check -- v1.2.3`: whether everything has the version of the tag.

const root = join(import.meta.dirname, "..");

/**
 * What does not have the version of a tag such as `v1.2.3`.
 * @param {string} tag
 * @returns {string[]}
 */
function missing(tag) {
  const version = tag.replace(/^v/, "");
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag)) return [`"${tag}" is no tag of a version, such as v1.2.3`];
  const [sdk, provider, plugin] = [manifestIn(join(root, "sdk")), manifestIn(join(root, "provider")), manifestIn(join(root, "plugin"))];
  const template = manifestIn(join(root, "examples/templates/typescript"));
  const found = [
    ["version in sdk/package.json", sdk.version],
    ["version in provider/package.json", provider.version],
    ["version in plugin/package.json", plugin.version],
    ["the SDK in provider/package.json", provider.dependencies["@container-platform/sdk"]],
    ...Object.entries(template.dependencies)
      .filter(([name]) => name.startsWith("@container-platform/"))
      .map(([name, wanted]) => [`${name} in the template`, /(\d+\.\d+\.\d+.*?)(\.tgz)?$/.exec(wanted)?.[1]]),
  ];
  const differing = found
    .filter(([, value]) => value !== version)
    .map(([what, value]) => `${what} is ${value ?? "missing"}, not ${version}`);
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  return changes.includes(`\n## [${version}] - `) ? differing : [...differing, `CHANGELOG.md has no section "## [${version}] - <date>"`];
}

const complaints = missing(process.argv[2] ?? "");
for (const complaint of complaints) console.error(complaint);
process.exit(complaints.length === 0 ? 0 : 1);
