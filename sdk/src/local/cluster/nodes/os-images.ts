import { describeOsImages } from "../../../catalogue/cluster/images.ts";
import { on } from "../../behaviour.ts";
import { publicImageId } from "./joining.ts";

/** The public images for nodes, the same in every region. Old clusters may have one that is offline. */
const images = [
  { osName: "ubuntu22.04x86_64", alias: "Ubuntu", seriesName: "Ubuntu Server 22.04 LTS 64bit", imageId: publicImageId, status: "online" },
  { osName: "ubuntu24.04x86_64", alias: "Ubuntu", seriesName: "Ubuntu Server 24.04 LTS 64bit", imageId: "img-00000002", status: "online" },
  {
    osName: "tlinux3.1x86_64",
    alias: "TencentOS Server",
    seriesName: "TencentOS Server 3.1 (TK4)",
    imageId: "img-00000003",
    status: "online",
  },
  { osName: "tlinux2.4x86_64", alias: "TencentOS Server", seriesName: "TencentOS Server 2.4", imageId: "img-00000004", status: "offline" },
] as const;

/** The system of nodes for which none is asked for. */
export const usualSystem: string = images[0].osName;
/** The systems that new clusters can have. */
export const systemsOnline: readonly string[] = images.filter(({ status }) => status === "online").map(({ osName }) => osName);

export const osImageBehaviours = [
  on(describeOsImages, (call, { filters = [] }) => {
    const [odd] = filters;
    if (odd) throw call.error("InvalidParameter", `Filters has ${JSON.stringify(odd.name)}; it takes none`);
    return {
      osImageSeriesSet: images.map((image) => ({ ...image, osCustomizeType: "GENERAL", arch: "amd64" })),
      totalCount: images.length,
    };
  }),
];
