import type { Call } from "../../behaviour.ts";
import { timestampOf } from "../../timestamp.ts";
import { machineStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
import { sizeOf } from "../../compute/offers.ts";
import { nodeStateOf } from "../states.ts";
import type { NodeRow } from "../tables.ts";

type NativeMachine = NonNullable<NodeRow["native"]>;

const machineState = state(machineStates);
const machineStateOfNode = { initializing: "Pending", running: "Running", failed: "Failed" } as const;

/** The record of a native node's machine. */
export function machineRecordOf(call: Call, node: NodeRow, native: NativeMachine) {
  const { family, cpu, memory, gpu } = sizeOf(node.instanceType);
  const prepaid = node.chargeType === "PREPAID" ? native.instanceChargePrepaid : undefined;
  return {
    machineName: node.machineName,
    machineState: machineState.parse(node.leaving ? "Deleting" : machineStateOfNode[nodeStateOf(call, node)]),
    zone: node.zone,
    instanceChargeType: node.chargeType,
    createdAt: node.createdTime,
    loginStatus: native.keyIds.length > 0 ? "Enabled" : "Disabled",
    isProtectedFromScaleIn: false,
    displayName: node.machineName,
    cpu,
    gpu,
    memory,
    renewFlag: prepaid ? (prepaid.renewFlag ?? "NOTIFY_AND_MANUAL_RENEW") : "",
    payMode: node.chargeType,
    systemDisk: native.systemDisk,
    internetAccessible: native.internetAccessible,
    instanceFamily: family,
    instanceType: node.instanceType,
    expiredTime: prepaid ? monthsAfter(node.createdTime, prepaid.period) : "",
  };
}

function monthsAfter(time: string, months: number): string {
  const date = new Date(time);
  date.setUTCMonth(date.getUTCMonth() + months);
  return timestampOf(date.getTime());
}
