import { z } from "zod";
import { operations, spelt } from "../../operation/operation.ts";
import { filters } from "../shared.ts";

const operation = operations("cluster", "2018-05-25");

const osImage = z.object({
  seriesName: z.string().describe("Name of its series, such as `TencentOS Server 3.1 (TK4)`."),
  alias: z.string().describe("Display name of its system."),
  osName: z.string().describe("The system as `ClusterOs` and `NodePoolOs` take it, such as `ubuntu22.04x86_64`."),
  osCustomizeType: z.string().describe("`GENERAL`, or `DOCKER_CUSTOMIZE`: its container runtime is adapted."),
  status: z.string().describe("`online`: new nodes can have it; `offline`: only old ones have."),
  imageId: z.string().describe("ID of the image, such as `img-00000001`."),
  arch: z.string().optional().describe("Architecture of its processors, such as `amd64`."),
});

export const describeOsImages = operation("DescribeOSImages", () => ({
  summary: "Lists the public images that nodes of the region can have.",
  input: { filters: filters.optional().describe("Filters; the public API names none.") },
  output: {
    osImageSeriesSet: spelt("OSImageSeriesSet", z.array(osImage).describe("The images.")),
    totalCount: z.int().optional().describe("Number of images."),
  },
  errors: [],
  remoteErrors: ["FailedOperation"],
  effect: "read",
  source: "public-api",
}));
