/** The local platform, and what tests need of it besides its operations: a clock, faults, accounts, and changes made out of band. */

export {
  accessKeyOf,
  putAccessKey,
  putAccount,
  putSubAccount,
  setAccessKey,
  setPermissions,
  type NewSubAccount,
} from "./accounts/accounts.ts";
export { type AccessKey } from "./accounts/rows.ts";
export { complaintOf, putEdgeModule, putExternalNode, putNodePool2018, putRole, servicesOn, setReachable } from "./cluster/out-of-band.ts";
export { LocalControl, type WorldControl, type WorldStatus } from "./control/control.ts";
export { type Snapshot } from "./control/snapshot.ts";
export { type CallFault, type EndFault, type Fault, Faults, type ListedFault } from "./faults/faults.ts";
export { putInstance, putKeyPair, putRouteTable, removeInstance } from "./out-of-band.ts";
export { timeScales, type TimeScale } from "./time.ts";
export { LocalPlatform } from "./platform.ts";
export { loginComplaintOf, transferComplaintOf } from "./registry/access/container-client.ts";
export { bucketsIn, putImage, setImageSigning, setImmutableTags, setRegistryStatus, setStorageQuota } from "./registry/out-of-band.ts";
export { World, type WorldOptions } from "./store/world.ts";
