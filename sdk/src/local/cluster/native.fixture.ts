/** Settings of a native pool with nodes in a subnet. */
export const nativeIn = (subnetId: string) => ({
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  instanceChargeType: "POSTPAID_BY_HOUR" as const,
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  scaling: { minReplicas: 0, maxReplicas: 10 },
});
