import { expect, test } from "vitest";
import { kubernetesRules, repeatedTaint } from "./cluster.ts";

const of = (count: number, character = "a"): string => character.repeat(count);
const prefix = `${of(63)}.${of(63)}.${of(63)}.${of(61)}`;

const keys = {
  allowed: [
    "a",
    "A",
    "9",
    "app.kubernetes.io/name",
    "tier_1.web-2",
    of(63),
    `${prefix}/${of(63)}`,
    "a-b.c0/X",
    "node-role.kubernetes.io/x",
  ],
  refused: ["", "not a label!", of(64), `${prefix}b/a`, "/a", "a/", "a/b/c", "-a", "a-", "a.", "_a", ".a", "ä", "a..b/c", "-a.b/c", "a\n"],
};

test.each<[rule: keyof typeof kubernetesRules, allowed: readonly string[], refused: readonly string[]]>([
  ["labelKey", keys.allowed, [...keys.refused, "Example.com/a"]],
  ["annotationKey", [...keys.allowed, "Example.com/a"], keys.refused],
  ["labelValue", ["", "a", "A.b_c-1", of(63)], [of(64), "not a value!", "-a", "a-", "a/b", "ä", "a\n"]],
  [
    "kernelArgument",
    ["net.core.somaxconn=1024", "net.ipv4.tcp_rmem=4096 87380\t16777216", "kernel.modprobe=", "kernel.core_pattern=|/bin/a -e=%e"],
    ["", "quiet", "=1", "a b=1", "a =1", "a=1\nb=2", "a=\u0000"],
  ],
  ["script", ["", "ZWNobyAx", "ZWNobw==", "ZWNobyE="], ["echo 1", "ZWNobw", "ZWNobw=", "ZW=o", "ZWNobyAx\n", "ZWNv_-Ax"]],
])("%s", (rule, allowed, refused) => {
  const { allows } = kubernetesRules[rule];
  expect(allowed.filter((text) => !allows(text))).toEqual([]);
  expect(refused.filter((text) => allows(text))).toEqual([]);
});

test("a taint is repeated if its key and its effect are there before it, whatever its value", () => {
  const taint = { key: "a", value: "b", effect: "NoSchedule" };
  const other = { ...taint, value: "c" };
  expect(repeatedTaint([taint, { ...taint, effect: "NoExecute" }, { ...taint, key: "b" }])).toBeUndefined();
  expect(repeatedTaint([taint, other])).toBe(other);
});
