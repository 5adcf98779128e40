/** The platform of the specification in this process, and what tests need of it besides its operations. */

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
export { complaintOf, putEdgeModule, putExternalNode, putNodePool2018, putRole, servicesOn, setReachable } from "./cluster/outside.ts";
export { LocalControl, type WorldControl, type WorldStatus } from "./control/control.ts";
export { type Snapshot } from "./control/snapshot.ts";
export { Faults, type ListedFault } from "./faults.ts";
export { type CallFault, type EndFault, type Fault } from "./faults/rules.ts";
export { putInstance, putKeyPair, putRouteTable, removeInstance } from "./outside.ts";
export { paces, type Pace } from "./pace.ts";
export { LocalPlatform } from "./platform.ts";
export { loginComplaintOf, transferComplaintOf } from "./registry/access/container-client.ts";
export { bucketsIn, putImage, setImageSigning, setRegistryStatus } from "./registry/outside.ts";
export { World, type WorldOptions } from "./store/world.ts";
