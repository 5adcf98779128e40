import { describeGpuInfo } from "../../../catalogue/cluster/gpu.ts";
import { on } from "../../behaviour.ts";
import { hasGpu } from "../../compute/offers.ts";

/** The compatible driver versions that the local platform offers, newest first. */
const drivers = [
  { driver: "570.158.01", cuda: "12.8.1", cudnn: "9.8.0", migEnable: false, fabric: false },
  { driver: "535.216.01", cuda: "12.4.1", cudnn: "9.1.0", migEnable: false, fabric: false },
];

export const gpuBehaviours = [
  on(describeGpuInfo, (call, { instanceType }) => {
    if (!hasGpu(instanceType))
      throw call.error(
        "InvalidParameter.Param",
        `InstanceType is ${JSON.stringify(instanceType)}, which has no GPU; it takes types such as GN7.2XLARGE32`,
      );
    return { gpuParams: drivers };
  }),
];
