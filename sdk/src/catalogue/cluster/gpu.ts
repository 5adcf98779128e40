import { z } from "zod";
import { operations, spelt } from "../../operation/operation.ts";
import { gpuParams } from "./native.ts";

const operation = operations("cluster", "2022-05-01");

/** The specification mentions this query (Versioning 2); its action and fields are the public API's. */
export const describeGpuInfo = operation("DescribeGPUInfo", () => ({
  summary: "Lists the GPU drivers that are available for an instance type.",
  input: {
    instanceType: z.string().describe("Instance type with GPUs, such as `GN7.2XLARGE32`."),
    osName: z.string().optional().describe("Operating system of the instances; any unless given."),
  },
  output: { gpuParams: spelt("GPUParams", z.array(gpuParams).describe("Sets of compatible versions, newest first.")) },
  errors: ["InvalidParameter.Param"],
  effect: "read",
  source: "public-api",
}));
