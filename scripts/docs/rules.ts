import { leastAddresses, mostDnsServers, mostInstances, mostPolicies, mostTags, usualClusters } from "@container-platform/sdk";
import { z } from "zod";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { owners } from "../../provider/src/definition/ids.ts";
import { marksOf } from "../../provider/src/schema/marks.ts";
import { beyond, crowdedIn } from "../../provider/src/lifecycle/program/amounts.ts";
import { heldFast } from "../../provider/src/lifecycle/program/leaving/in-use.ts";
import { unserved } from "../../provider/src/lifecycle/program/unserved.ts";
import { amount, partOf } from "../../provider/src/schema/messages.ts";
import { fields, inside } from "./fields.ts";
import { kinds } from "./kinds.ts";
import { code, page, table } from "./markdown.ts";

/** The page of the rules that the definitions of the resources hold, by file name. */
export function rulePages(): Map<string, string> {
  return new Map([["rules.md", page(introduction, ...kinds.flatMap(chapter))]]);
}

type Row = readonly [property: string, says: string, where: string];

const typed = "types, preview, `up`";
const planned = "preview, `up`";
const around = `${planned}: around it`;

function chapter(kind: Kind): string[] {
  const schemas = Object.entries(kind.inputs.shape).flatMap(([key, schema]: [string, z.core.$ZodType]) => fields(key, schema));
  const rows: Row[] = [
    ...schemas.flatMap(({ path, type }) => [...ofSchema(path, type), ...ofItems(path, type)]),
    ...(kind.rules ?? []).flatMap(({ of, says, reads = [says] }) => reads.map((read): Row => [of, code(read), planned])),
    ...Object.entries(kind.rare?.never ?? {}).flatMap(([key, rule]) =>
      (rule?.reads ?? []).map((read): Row => [key, code(`${rule?.says ?? ""}: ${read}`), planned]),
    ),
    ...together(kind),
    ...amounts(kind),
    ...Object.entries(kind.offered ?? {}).flatMap(([path, { takes, reads, from }]) =>
      [
        [path, `takes ${takes}`] as const,
        ...reads.map((read) =>
          typeof read === "string" ? ([path, code(read)] as const) : ([partOf(path, read.of), code(read.says)] as const),
        ),
      ].map(([place, says]): Row => [place, says, `${planned}: ${from}`]),
    ),
  ];
  const sorted = rows.toSorted(([one], [other]) => placeOf(kind, one) - placeOf(kind, other));
  return [
    `## ${kind.type}`,
    table(
      ["Property", "Rule, or what the message says", "Looked at"],
      sorted.map(([path, ...rest]) => [code(path), ...rest]),
    ),
  ];
}

/** What two resources have to keep together. */
function together({ id, inputs, sole = [], bounds = [], joined = [], needs = [] }: Kind): Row[] {
  const place = (key: string | undefined) => (key === undefined ? "in the region" : `with one \`${key}\``);
  const ids = id.names.every((name) => name in inputs.shape)
    ? [[id.names[0] ?? "", `no two have the same ${id.names.map(code).join(" and ")}`, around] as const]
    : [];
  return [
    ...ids,
    ...bounds.map(({ by, lies, in: container, of }): Row => [by, `lies ${lies} of the \`${of.by}\` of its \`${container}\``, around]),
    ...joined.flatMap(({ by, type, in: place, as, flaw }): Row[] => {
      const own = typeof as === "string" ? `\`${as.split(".").at(-1)}\`` : `\`${as.in}\` of its \`${as.by}\``;
      const path = by.replaceAll(".*", "[]");
      return [
        [path, `the \`${place}\` of the ${type} is the ${own}`, around],
        ...(flaw ? [[path, code(`"<${type}>" ${flaw.reads}`), around] as const] : []),
      ];
    }),
    ...needs.map(({ by, reads }): Row => [by.replaceAll(".*", "[]"), code(reads), around]),
    ...sole.map(({ by, as, meets = by, in: container }): Row => {
      const two = meets === by ? `no two ${place(container)}` : `none ${place(container)} and the \`${meets}\` of another`;
      return [by, as === "name" ? `${two} have the same` : `${two} overlap`, around];
    }),
  ];
}

/** What there has to be enough of. */
function amounts({ type, room, usualMost, inputs, rare }: Kind): Row[] {
  const first = Object.keys(inputs.shape)[0] ?? "";
  return [
    ...(room ? [[room.by, code(crowdedIn({ type, room }, "<subnet>", "<count>", "<names>", "<count>")), around] as const] : []),
    ...(rare?.holds?.keeps ?? []).map(({ by }): Row => [by, departed, around]),
    ...Object.entries(rare?.used ?? {}).flatMap(([by, using]): Row[] =>
      using
        ? [[by, `stays while it is in use by ${using.users}: ${code(heldFast("<value>", "<id>", "<users>", using.remedy))}`, around]]
        : [],
    ),
    ...(rare?.served
      ? [
          [
            rare.served.in,
            `a warning: ${code(unserved(`${type} "<name>"`, `${rare.served.type} "<name>"`, rare.served))}`,
            "preview: its end",
          ] as const,
        ]
      : []),
    ...(usualMost === undefined ? [] : [[first, `a warning: ${code(beyond(type, "<region>", usualMost))}`, around] as const]),
  ];
}

const departed =
  "what keeps one that it leaves, or has left, is in the way of deleting that: refused if a new one is made in its place, a warning if it leaves the program in the same run";

/** Rules stand in the order of the inputs. */
function placeOf(kind: Kind, path: string): number {
  return Object.keys(kind.inputs.shape).indexOf(/^\w+/.exec(path)?.[0] ?? "");
}

function ofItems(path: string, schema: z.core.$ZodType): Row[] {
  const list = inside(schema);
  return list instanceof z.ZodArray ? ofSchema(`${path}[]`, list.element) : [];
}

/** The rules of one property: what its schema takes, and what the platform takes besides. */
function ofSchema(path: string, schema: z.core.$ZodType): Row[] {
  const type = inside(schema);
  const values = type instanceof z.ZodEnum ? type.options : type instanceof z.ZodLiteral ? [...type.values] : [];
  const own: Row[] = [
    ...(values.length > 0 ? [[path, code(`<value> is not one of ${values.join(", ")}`), typed] as const] : []),
    ...limitsOf(type).map((says): Row => [path, code(says), planned]),
    ...(marksOf(schema).rules ?? []).flatMap(({ takes, reads }): Row[] => [
      ...(reads.some((read) => typeof read !== "string" || !read.startsWith(`takes ${takes}`))
        ? [[path, `takes ${takes}`, planned] as const]
        : []),
      ...reads.map((read): Row =>
        typeof read === "string" ? [path, code(read), planned] : [`${path}.${read.of}`, code(read.says), planned],
      ),
    ]),
    ...existing(path, schema),
  ];
  return marksOf(schema).removed === "refuse" ? [...own, [path, code("cannot be taken out once it is set"), planned]] : own;
}

/** What has to be there. */
function existing(path: string, schema: z.core.$ZodType): Row[] {
  const { idOf } = marksOf(schema);
  return idOf === undefined || !owners[idOf].find ? [] : [[path, code(`there is no ${owners[idOf].noun} <value> in the region`), around]];
}

const limit = z.object({
  check: z.string(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  length: z.number().optional(),
  value: z.number().optional(),
  format: z.string().optional(),
});

/** What the checks of a schema say, as the messages do. */
function limitsOf(type: z.core.$ZodType): string[] {
  const origin = type._zod.def.type;
  const measured = origin === "string" ? "<length>" : origin === "array" ? "<count>" : "<value>";
  const own = "format" in type._zod.def ? [type._zod.def] : [];
  return [...own, ...(type._zod.def.checks ?? []).map(({ _zod }) => _zod.def)].flatMap((def) => {
    const { check, minimum, maximum, length, value, format } = limit.parse(def);
    if (check === "string_format") return [`takes text of the form ${format}`];
    if (check === "length_equals") return [`takes ${amount(length ?? 0, origin)}, not ${measured}`];
    const least = minimum ?? (check === "greater_than" ? value : undefined);
    const most = maximum ?? (check === "less_than" ? value : undefined);
    return [
      ...(least === undefined ? [] : [`takes at least ${amount(least, origin)}, not ${measured}`]),
      ...(most === undefined ? [] : [`takes at most ${amount(most, origin)}, not ${measured}`]),
    ];
  });
}

const introduction = `# Rules for inputs

What a preview refuses. This page is written from the definitions that the preview itself reads, and the local
platform refuses with the same rules, where it has them. A message begins with the property, as in
\`dnsServers[0]: takes an IPv4 address, not "nope"\`. Below, what stands in \`code\` in the second column is how the message goes on, word by
word; a word in brackets, such as \`<value>\`, stands for what there is. A rule in plain words has its messages below it; about several
resources, the message names both, what they have, and what to do. A value that is a secret, of the program or by its
nature, is never repeated.

${table(
  ["Looked at", "What that means"],
  [
    ["types", "The editor and the compiler refuse it, too."],
    ["preview", "`pulumi preview` refuses it before anything is created. A value that is not known yet is left out, and never guessed."],
    [
      "`up`",
      "What was not known in the preview is looked at once it is, before the first call that writes the resource. Other resources may have been made before it.",
    ],
    [
      "`up --skip-preview`",
      "The first resource is written when none has been looked at for 150 ms, and none is begun once another is refused. But what takes an input from the output of another resource is looked at when that is made, as is what a program declares after it has waited for something, or with another provider: then some resources stand already, and the next `up` goes on with them.",
    ],
    [
      "around it",
      "The other resources of the program that have the default provider or the same one, and those on the platform: lists of the region are read once a run, and only for what is new or moves. If they cannot be read, a warning says so, and nothing is refused.",
    ],
    [
      "an operation",
      "What the platform offers is asked of this operation: once a run for all resources, and only for inputs that are new or have changed. If it cannot be read, a warning says so, and nothing is refused.",
    ],
  ],
)}

Only what is new or has changed is refused. A value with which a resource was deployed stays, also where a later version of this package has
a rule against it; a new resource in its place, or another value, has to keep the rules.

Besides, for all kinds: an input that is required is there; a value has the type that its page says; there are no other properties; a number
is neither \`NaN\` nor infinite; \`customTimeouts\` are times such as \`90s\`, \`20m\` or \`1h30m\`; and a part of an
[id](importing.md) that is made of inputs has no \`/\`.

${table(
  ["Limit of the platform", "How many", "Looked at"],
  [
    [
      "clusters of a region",
      `${usualClusters} by default; an account may have more`,
      "preview: a warning, because no operation tells the quota",
    ],
    ["free addresses for a new cluster", `${leastAddresses}, of its subnet`, "preview, `up`: also for several of one program"],
    ["IPv6 blocks of a VPC", "1", "preview, `up`"],
    ["tags of a resource", `${mostTags}, with the provider's own`, "preview, `up`"],
    ["rules of a security group", `${mostPolicies} in each direction`, "preview, `up`"],
    ["DNS servers of a VPC", `${mostDnsServers}`, "preview, `up`"],
    ["machines that join in one entry", `${mostInstances}`, "preview, `up`"],
    ["key pairs of a machine", "1", "preview, `up`"],
    ["addresses for nodes and endpoints", "what the subnet has", "not at all: the platform refuses, or the pool waits for room"],
    ["permissions of a user, service accounts of a registry", "not known", "not at all: the platform refuses"],
  ],
)}

What is taken out of a program is not refused in a preview: the engine asks for nothing then, and does not tell of \`--target\`. If something
of the program still names it by its id, or keeps it because its input is left out in the same run, or a pool that goes elsewhere leaves nodes
in it, the preview warns when it ends. \`up\` deletes it
last, and fails within half a minute: the message names what is in the way, and what to do. What \`--target\` leaves out, and what has
another \`Provider\`, may still go: it is named as soon, and waited for. What neither this stack nor another one has is named as soon, too: nobody deletes it, and
half a minute later the deletion fails.`;
