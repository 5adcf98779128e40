import "./node-version.js";
import { readFileSync, writeFileSync } from "node:fs";

// `node scripts/plugin-address.js <owner>/<repository> <schema>`: writes into the plugin's schema the repository that publishes it, and
// that Pulumi finds the executables in its releases. Which one that is, only the workflow of a release knows.

const [repository = "", file] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || file === undefined) {
  console.error(`node scripts/plugin-address.js needs a repository, such as owner/name, and a schema; it has ${repository || "none"}`);
  process.exit(2);
}
const { name, displayName, version, ...rest } = JSON.parse(readFileSync(file, "utf8"));
const published = { repository: `https://github.com/${repository}`, pluginDownloadURL: `github://api.github.com/${repository}` };
writeFileSync(file, `${JSON.stringify({ name, displayName, version, ...published, ...rest }, null, 2)}\n`);
