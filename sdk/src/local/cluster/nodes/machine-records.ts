import type { Call } from "../../behaviour.ts";
import { timestampOf } from "../../timestamp.ts";
import { machineStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
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

/** Cores by the size in a type's name; `2XLARGE` as in `SA5.2XLARGE16` has twice as many as `XLARGE`. */
const cores: Readonly<Record<string, number>> = { SMALL: 1, MEDIUM: 2, LARGE: 4, XLARGE: 4 };

/** Family, cores and GB of memory of a type such as `SA5.MEDIUM4`; a name of another form has the smallest size. */
function sizeOf(instanceType: string) {
  const [, family = instanceType, times = "", word = "", memory = "2"] = /^([A-Z0-9]+)\.(\d*)([A-Z]+)(\d+)$/.exec(instanceType) ?? [];
  return { family, cpu: Number(times || 1) * (cores[word] ?? 1), memory: Number(memory), gpu: family.startsWith("G") ? 1 : 0 };
}

export function hasGpu(instanceType: string): boolean {
  return sizeOf(instanceType).gpu > 0;
}

function monthsAfter(time: string, months: number): string {
  const date = new Date(time);
  date.setUTCMonth(date.getUTCMonth() + months);
  return timestampOf(date.getTime());
}
