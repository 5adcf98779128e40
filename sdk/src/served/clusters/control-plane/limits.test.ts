import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../../../scratch.fixture.ts";
import { availableInGroups, memoryComplaint } from "./process.ts";
import { serviceRanges, versionComplaint } from "./control-planes.ts";

const megabyte = 1024 * 1024;

test("memory that does not suffice for another control plane is told, with how many fit", () => {
  expect(memoryComplaint(0, 0, 320 * megabyte)).toBeUndefined();
  expect(memoryComplaint(2, 0, 300 * megabyte)).toBe(
    "there is no memory for another control plane: each takes about 320 MB, and 300 MB are available. At the moment 2 run, which is what fits: " +
      "one that nobody uses is stopped after a while, or when its cluster is deleted",
  );
  // One that has only begun has not taken its memory yet.
  expect(memoryComplaint(1, 1, 600 * megabyte)).toMatch(/280 MB are available\. At the moment 1 runs/);
  expect(memoryComplaint(0, 0)).toBeUndefined();
});

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = scratch();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${text}\n`);
  }
  return root;
}

test("the memory of a container is what its control groups leave, of either version, and of those around it", () => {
  const newer = {
    "proc/self/cgroup": "0::/pods/one",
    "sys/fs/cgroup/pods/one/memory.max": "max",
    "sys/fs/cgroup/pods/one/memory.current": "50",
    "sys/fs/cgroup/pods/memory.max": "1000",
    "sys/fs/cgroup/pods/memory.current": "600",
    "sys/fs/cgroup/pods/memory.stat": "anon 1\ninactive_file 100\nactive_file 3",
  };
  expect(availableInGroups(rootWith(newer))).toBe(500);
  const older = {
    "proc/self/cgroup": "5:devices:/\n4:cpu,memory:/docker/one\n0::/",
    // As a container sees it, whose own group is the root.
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000",
    "sys/fs/cgroup/memory/memory.usage_in_bytes": "600",
    "sys/fs/cgroup/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 200",
  };
  expect(availableInGroups(rootWith(older))).toBe(1600);
  expect(availableInGroups(rootWith({}))).toBe(Infinity);
});

test("versions that Kubernetes cannot behave as are refused with those that it can", () => {
  for (const version of ["1.31.0", "1.32.2", "1.34.1"]) expect(versionComplaint(version, "1.34.4")).toBeUndefined();
  for (const version of ["1.28.3", "1.30.0", "1.35.0"])
    expect(versionComplaint(version, "1.34.4")).toBe(
      `a cluster of version ${version} cannot be served: Kubernetes 1.34.4 can behave as versions 1.31 to 1.34`,
    );
  expect(versionComplaint("1.31.0", "1.33.0")).toBeUndefined();
  expect(versionComplaint("1.30.0", "1.33.0")).toContain("1.31 to 1.33");
});

test("services take the cluster's ranges; without one, a range that is nobody else's in its VPC", () => {
  expect(serviceRanges({ serviceCidr: "10.96.0.0/16", clusterCidr: "" }, "10.0.0.0/16")).toBe("10.96.0.0/16");
  expect(serviceRanges({ serviceCidr: "", clusterCidr: "", ipv6ServiceCidr: "fd12::/112" }, "10.0.0.0/16")).toBe(
    "192.168.0.0/17,fd12::/112",
  );
  expect(serviceRanges({ serviceCidr: "", clusterCidr: "10.254.0.0/20" }, "192.168.0.0/16")).toBe("172.31.0.0/16");
});
