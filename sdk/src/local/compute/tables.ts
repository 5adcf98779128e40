import { z } from "zod";
import { tags } from "../../catalogue/shared.ts";
import { table } from "../store/table.ts";

/** Machines. Each belongs to its VPC, and owns an attachment there. */
export const instances = table("instances", () => ({
  name: z.string(),
  zone: z.string(),
  vpcId: z.string(),
  subnetId: z.string(),
  instanceType: z.string(),
  /** `POSTPAID_BY_HOUR` or `PREPAID`. */
  chargeType: z.string(),
  imageId: z.string(),
  /** The image's operating system, such as `Ubuntu Server 22.04 LTS 64bit`. */
  osName: z.string(),
  systemDisk: z.object({ diskType: z.string(), diskSize: z.int() }),
  state: z.string(),
  privateIpAddress: z.string(),
  securityGroupIds: z.array(z.string()),
  keyIds: z.array(z.string()),
  createdTime: z.string(),
  tags,
}));

export const keyPairs = table("keyPairs", () => ({
  name: z.string(),
  description: z.string(),
  publicKey: z.string(),
  createdTime: z.string(),
  tags,
}));
