import { z } from "zod";
import { operations, spelt } from "../../operation/operation.ts";
import { gpuParams } from "./native.ts";

const operation = operations("cluster", "2022-05-01");

/** The specification mentions this query (Versioning 2). Its action and fields are the public API's. */
export const describeGpuInfo = operation("DescribeGPUInfo", () => ({
  summary: "Tells which GPU drivers machines of a type can have.",
  input: {
    instanceType: z.string().describe("Type of machine with GPUs, such as `GN7.2XLARGE32`."),
    osName: z.string().optional().describe("Operating system of the machines; any unless given."),
  },
  output: { gpuParams: spelt("GPUParams", z.array(gpuParams).describe("Drivers that go together, newest first.")) },
  errors: ["InvalidParameter.Param"],
  effect: "read",
  source: "public-api",
}));
