import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../support/compiler.ts";
import { isRun, isShell, type Page, programUpTo } from "./pages.ts";

/** What a page's commands find in their folder: a project that a reader may have. */
const project = {
  "package.json": JSON.stringify({ name: "my-platform", private: true, type: "module" }),
  "Pulumi.yaml": JSON.stringify({ name: "my-platform", runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts" }),
  "index.ts":
    'import { Vpc } from "@container-platform/pulumi";\n\nexport const { vpcId } = new Vpc("demo", { cidrBlock: "10.0.0.0/16" });\n',
};

/** How long a page may take: one that installs something needs a registry, too. */
export const minutes = 10;

/** What a page's commands printed, in order, with each command as bash prints it. */
export interface Printed {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a page's commands and programs, in order and in one shell, in a folder and with a local world of their own. */
export function printedBy(page: Page): Printed {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-docs-")));
  try {
    const folder = join(place, "my-platform");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(project)) writeFileSync(join(folder, name), text);
    symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
    writeFileSync(join(place, "script.sh"), scriptOf(page));
    const command = `exec bash ${join(place, "script.sh")} 2>&1`;
    const { status, stdout } = spawnSync("bash", ["-c", command], {
      cwd: folder,
      env: surroundings(place),
      encoding: "utf8",
      timeout: minutes * 60_000,
      input: "",
    });
    return { status, output: stdout };
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

function surroundings(place: string): NodeJS.ProcessEnv {
  // What the machine trusts stays: it may need that to reach its registry of packages.
  const kept = Object.entries(process.env).filter(
    ([key]) => key === "NODE_EXTRA_CA_CERTS" || !/^(PULUMI|CONTAINER_PLATFORM)_|^(npm|NODE)_|^VITEST/.test(key),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter),
    HOME: place,
    // The machine's own settings of npm are in its own home.
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    CONTAINER_PLATFORM_ENDPOINT: "local",
    CONTAINER_PLATFORM_REGION: "eu-frankfurt",
    CONTAINER_PLATFORM_TIME_SCALE: "instant",
    PULUMI_HOME: join(place, ".pulumi"),
    PULUMI_BACKEND_URL: `file://${place}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

function scriptOf({ samples }: Page): string {
  const parts = samples.map((sample, at) => {
    const { title, text, before, until, run } = sample;
    if (!isRun(sample)) return "";
    if (title !== undefined) return `${before}cat > ${title} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
    if (run) return `cat > sample-${at}.ts <<'END_OF_FILE'\n${programUpTo(samples, at)}END_OF_FILE\nnode sample-${at}.ts\n`;
    return until === undefined ? `${before}${text}` : `${before}${endedAfter(until, text)}`;
  });
  const usesStack = samples.some(({ language, text }) => isShell(language) && /\b(pulumi|container-platform-review)\b/.test(text));
  const stack = usesStack ? "pulumi stack init dev\n" : "";
  return `set -euo pipefail\nset -x\n${stack}${parts.join("")}`;
}

/** Commands that go on for ever: once they have printed this, all of them get what Control-C sends, and have to end. */
function endedAfter(said: string, text: string): string {
  return `set -m
{ ${text.trimEnd()}; } > until.txt &
going=$!
set +mx
until grep -qF '${said}' until.txt; do sleep 0.05; done
kill -INT -- -$going
while kill -0 -- -$going 2> /dev/null; do sleep 0.05; done
set -x
`;
}
