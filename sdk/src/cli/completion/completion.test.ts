import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commands } from "../commands.ts";
import { wordsFor } from "./words.ts";
import { programFile, User } from "../user.fixture.ts";

/** A user with cpcli on the PATH. */
function withCommand(): User {
  const user = new User();
  writeFileSync(user.at("cpcli"), `#!/bin/sh\nexec "${process.execPath}" "${programFile}" "$@"\n`, { mode: 0o755 });
  user.env["PATH"] = `${user.home}:${process.env["PATH"] ?? ""}`;
  return user;
}

/** The words for a command line whose last word is being typed. */
async function wordsAfter(...line: readonly string[]): Promise<string[]> {
  return (await wordsFor(line, commands)).map(({ word }) => word);
}

describe("words", () => {
  let user: User;
  beforeEach(() => {
    user = new User();
    vi.stubEnv("HOME", user.home);
  });
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ["vp", "vpc"],
    ["co", "compute configure conformance completion"],
    ["vpc CreateS", "CreateSecurityGroup CreateSecurityGroupPolicies CreateSubnet"],
    ["vpc CreateVpc --Vpc", "--VpcName"],
    ["vpc CreateVpc --VpcName a --Vpc", ""],
    ["vpc CreateVpc --Tags.", ""],
    ["vpc CreateVpc --cli-unfold-argument --Tags.0.Key a --Tags.0.", "--Tags.0.Value"],
    ["vpc CreateVpc --cli-unfold-argument --Tags.0.Key a --Tags.1.", "--Tags.1.Key --Tags.1.Value"],
    ["vpc CreateVpc h", "help"],
    ["vpc CreateVpc help ", "--detail"],
    ["vpc CreateVpc --EnableRouteVpcPublishIpv6 ", "true false"],
    ["cluster DeleteCluster --InstanceDeleteMode t", "terminate"],
    ["cluster DeleteCluster --InstanceDeleteMode = t", "terminate"],
    ["cluster DeleteCluster --InstanceDeleteMode=t", "--InstanceDeleteMode=terminate"],
    ["cluster CreateNodePool --version ", "2022-05-01"],
    ["cluster DescribeClusters --output t", "text table"],
    ["cluster DescribeClusters --region eu", "eu-frankfurt"],
    ["cluster DescribeClusters --cli-input-json ", "file://"],
    ["cluster RotateClusterToken --C", ""],
    ["cluster Nothing ", ""],
    ["nothing ", ""],
    ["configure i", "import"],
    ["configure set secret", "secretId secretKey"],
    ["configure list --", "--profile"],
    ["serve --time-scale i", "instant"],
    ["serve --time-scale fast --p", "--port"],
    ["completion ", "bash zsh fish --install"],
    ["list r", "registry"],
  ])("after %j: %j", async (line, words) => {
    expect((await wordsAfter(...line.split(" "))).join(" ")).toBe(words);
  });

  test("profiles are those that there are", async () => {
    mkdirSync(user.at(".container-platform"));
    writeFileSync(user.at(".container-platform", "credentials.yaml"), "default: {}\nwork: {}\n");
    expect(await wordsAfter("configure", "get", "--profile", "")).toEqual(["default", "work"]);
  });
});

test.each([
  ["bash", /^complete -o default -F _cpcli cpcli$/m],
  ["zsh", /^#compdef cpcli\n[^]*^ {2}compdef _cpcli cpcli$/m],
  ["fish", /^complete -c cpcli -f -a '\(__cpcli_words\)'$/m],
])("the script for %s asks cpcli itself", async (shell, registers) => {
  const { code, stdout } = await new User().run("completion", shell);
  expect(code).toBe(0);
  expect(stdout).toMatch(registers);
  expect(stdout).toContain("command cpcli completion words -- ");
});

test.each([
  ["bash", ".bashrc", "complete -p cpcli", "_cpcli"],
  ["zsh", ".zshrc", "print $_comps[cpcli]", "_cpcli"],
  ["fish", ".config/fish/config.fish", "complete -c cpcli", "__cpcli_words"],
])("%s: one command installs the completion, and a second one changes nothing", async (shell, file, query, registered) => {
  const user = withCommand();
  mkdirSync(dirname(user.at(file)), { recursive: true });
  writeFileSync(user.at(file), "# cpcli completion zsh\nexport MINE=1");
  const [first, after] = [await user.run("completion", shell, "--install"), readFileSync(user.at(file), "utf8")];
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`added to ${user.at(file)}: `) });
  expect(after.split("\n")).toMatchObject([
    "# cpcli completion zsh",
    "export MINE=1",
    "",
    expect.stringContaining(`cpcli completion ${shell}`),
    "",
  ]);
  expect((await user.run("completion", shell, "--install")).stdout).toContain("already");
  expect(readFileSync(user.at(file), "utf8")).toBe(after);
  // Not every machine has each shell.
  if (spawnSync(shell, ["-c", "true"]).status !== 0) return;
  expect(execFileSync(shell, ["-i", "-c", query], { cwd: user.home, env: user.env, encoding: "utf8", stdio: "pipe" })).toContain(
    registered,
  );
});

describe("the start-up file of bash", () => {
  const line = 'eval "$(cpcli completion bash)"\n';
  test.each([
    ["has only a note about it", 'echo "run cpcli completion bash --install"\n', "\n"],
    ["has the command in a comment", `  # ${line}`, "\n"],
    ["ends in the middle of a line", "export MINE=1", "\n\n"],
    ["ends with a continued line", "export MINE=1 \\\n", "\n"],
  ])("%s: the line is added after it", async (_, before, between) => {
    const user = new User();
    writeFileSync(user.at(".bashrc"), before);
    await user.run("completion", "bash", "--install");
    expect(readFileSync(user.at(".bashrc"), "utf8")).toBe(before + between + line);
  });

  test.each([`PS1="#> "; ${line}`, 'eval "$( cpcli  completion bash )"\n', "source <(cpcli completion bash)\n"])(
    "loads the script already: %j",
    async (before) => {
      const user = new User();
      writeFileSync(user.at(".bashrc"), before);
      expect((await user.run("completion", "bash", "--install")).stdout).toContain("already");
      expect(readFileSync(user.at(".bashrc"), "utf8")).toBe(before);
    },
  );
});

test("another shell is told which there are", async () => {
  expect(await new User().run("completion", "tcsh")).toEqual({
    code: 252,
    stdout: "",
    stderr: "cpcli: tcsh is no shell that cpcli knows; there are bash, zsh, fish\n",
  });
});

describe("in a real bash", () => {
  test.each([
    ["(cpcli vpc CreateV)", ["CreateVpc"]],
    ["(cpcli cluster DeleteCluster --InstanceDeleteMode '')", ["terminate", "retain"]],
    ["(cpcli vpc CreateVpc --region = na)", ["na-ashburn"]],
    ["(cpcli vpc 'a word with spaces $(touch here)')", []],
  ])("%s", (words, found) => {
    const user = withCommand();
    const script = `eval "$(cpcli completion bash)"; COMP_WORDS=${words}; COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _cpcli; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const printed = execFileSync("bash", ["--norc", "-c", script], { cwd: user.home, env: user.env, encoding: "utf8" });
    expect(printed.split("\n").filter(Boolean)).toEqual(found);
    expect(existsSync(user.at("here"))).toBe(false);
  });

  test("the key itself", async () => {
    const user = withCommand();
    writeFileSync(user.at("rc"), `PS1='> '; eval "$(cpcli completion bash)"\n`);
    const terminal = spawn("script", ["-q", "-e", "-c", "bash --noprofile --rcfile rc -i", "/dev/null"], {
      cwd: user.home,
      env: { ...user.env, TERM: "dumb", INPUTRC: "/dev/null" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let shown = "";
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
    const expectShown = (text: string) => expect.poll(() => shown, { timeout: 30_000 }).toContain(text);
    await expectShown("> ");
    terminal.stdin.write("cpcli vpc CreateV\t");
    await expectShown("CreateVpc ");
    terminal.stdin.write("--cli-input-json f\t");
    await expectShown("file:");
    terminal.kill("SIGKILL");
  });
});
