import { describeOsImages } from "../../../catalogue/cluster/images.ts";
import { on } from "../../behaviour.ts";
import { publicImages } from "./public-images.ts";

export const osImageBehaviours = [
  on(describeOsImages, (call, { filters = [] }) => {
    const [odd] = filters;
    if (odd) throw call.error("InvalidParameter", `Filters has ${JSON.stringify(odd.name)}; it takes none`);
    return {
      osImageSeriesSet: publicImages.map((image) => ({ ...image, osCustomizeType: "GENERAL", arch: "amd64" })),
      totalCount: publicImages.length,
    };
  }),
];
