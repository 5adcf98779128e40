import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { accessKeyOf } from "@container-platform/sdk/local";
import { Stack } from "../support/stack.ts";
import { type Cost, cost, spentOn, type Verb } from "./cost.ts";
import { middleOf, repeated } from "./figure.ts";
import { machine, tableOf } from "./page.ts";
import { count, subnets } from "./programs.ts";

/** Terraform with the vendor's provider beside ours: the same subnets on the same served platform. Both are looked for, and not installed. */

const rounds = 3;

/** What does the same in both. Terraform reads everything before it plans or destroys. */
const pairs: readonly { readonly verb: Verb; readonly args: readonly string[]; readonly theirs: readonly string[] }[] = [
  { verb: "up", args: [], theirs: ["apply", "-auto-approve"] },
  { verb: "preview", args: ["--refresh"], theirs: ["plan"] },
  { verb: "preview", args: [], theirs: ["plan", "-refresh=false"] },
  { verb: "destroy", args: ["--refresh"], theirs: ["destroy", "-auto-approve"] },
];

const source = "tencentcloudstack/tencentcloud";
const configuration = {
  terraform: { required_providers: { tencentcloud: { source } } },
  provider: { tencentcloud: { region: "eu-frankfurt" } },
  resource: {
    tencentcloud_vpc: { network: { name: "network", cidr_block: "10.0.0.0/12" } },
    tencentcloud_subnet: {
      subnet: {
        count,
        name: "subnet-${count.index}",
        vpc_id: "${tencentcloud_vpc.network.id}",
        cidr_block: "${cidrsubnet(tencentcloud_vpc.network.cidr_block, 14, count.index)}",
        availability_zone: "eu-frankfurt-1",
      },
    },
  },
};

/** Both sides as a table; none where one of them is not there. */
export async function terraform(): Promise<string | undefined> {
  const [program, provider] = [onPath("tofu") ?? onPath("terraform"), onPath("terraform-provider-tencentcloud")];
  if (program === undefined || provider === undefined) {
    console.error("Terraform is not measured: `tofu` or `terraform`, and `terraform-provider-tencentcloud`, have to be on the PATH");
    return undefined;
  }
  console.error(`measuring ${rounds} rounds of ${count} subnets, and the same with ${program}`);
  const all = await repeated((index) => round(program, dirname(provider), index % 2 === 1), rounds);
  const rows = pairs.map(({ verb, args, theirs }, index) => {
    const cell = (side: "ours" | "theirs", of: "work" | "time") => middleOf(all.map((one) => one[index]?.[side][of] ?? NaN));
    const called = [`\`pulumi ${[verb, ...args].join(" ")}\``, `\`terraform ${theirs.join(" ")}\``];
    return [...called, cell("ours", "work"), cell("theirs", "work"), cell("ours", "time"), cell("theirs", "time")];
  });
  const head = "| Pulumi | Terraform | Pulumi: processor time | Terraform: processor time | Pulumi: wall time | Terraform: wall time |";
  return [machine(), tableOf(head, "| - | - | -: | -: | -: | -: |", rows)].join("\n\n");
}

type Spent = Pick<Cost, "work" | "time">;

/** Each pair, one after the other: what one has made is not in the other's way. Who is first takes turns. */
async function round(program: string, folder: string, theirsFirst: boolean): Promise<{ readonly ours: Spent; readonly theirs: Spent }[]> {
  await using stack = await Stack.create({ program: subnets(), programs: "language-host", unhurried: true, served: true });
  const run = terraformOn(stack, program, folder);
  const ours = () => repeated((index) => cost(stack, pairs[index]?.verb ?? "preview", pairs[index]?.args), pairs.length);
  const theirs = () => repeated((index) => spentOn(() => run(pairs[index]?.theirs ?? [])), pairs.length);
  const first = theirsFirst ? await theirs() : undefined;
  const own = await ours();
  const others = first ?? (await theirs());
  return own.flatMap((one, index) => {
    const other = others[index];
    return other ? [{ ours: one, theirs: other }] : [];
  });
}

/** Runs Terraform on the platform of a stack, as a client of the public API behind a proxy. @param provider the folder of the vendor's provider */
function terraformOn(stack: Stack, program: string, provider: string): (args: readonly string[]) => Promise<unknown> {
  const cwd = join(stack.folder, "terraform");
  const settings = join(cwd, "settings.tfrc");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "main.tf.json"), JSON.stringify(configuration));
  writeFileSync(settings, `provider_installation {\n  dev_overrides {\n    "${source}" = "${provider}"\n  }\n}\n`);
  const { secretId, secretKey } = accessKeyOf(stack.world);
  const env = {
    ...process.env,
    ...{ TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1" },
    ...{ TENCENTCLOUD_SECRET_ID: secretId, TENCENTCLOUD_SECRET_KEY: secretKey },
    ...{ TENCENTCLOUD_PROTOCOL: "HTTP", TENCENTCLOUD_DOMAIN: "platform.example", HTTP_PROXY: stack.url },
  };
  return (args) => promisify(execFile)(program, [...args, "-input=false", "-no-color"], { cwd, env, maxBuffer: 2 ** 26 });
}

function onPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
