/** The image of machines for which none is asked. */
export const usualImageId = "img-00000001";

/** The public images for nodes, the same in every region. Old clusters may have one that is offline. */
export const publicImages = [
  { osName: "ubuntu22.04x86_64", alias: "Ubuntu", seriesName: "Ubuntu Server 22.04 LTS 64bit", imageId: usualImageId, status: "online" },
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
export const usualSystem: string = publicImages[0].osName;
/** The systems that new clusters can have. */
export const systemsOnline: readonly string[] = publicImages.filter(({ status }) => status === "online").map(({ osName }) => osName);
/** Any other image is custom, shared or imported. */
export const publicImageIds: readonly string[] = publicImages.map(({ imageId }) => imageId);
