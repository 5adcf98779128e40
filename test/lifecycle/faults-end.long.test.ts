import { phases } from "./faults.ts";
import { faultsIn } from "./parts.ts";

faultsIn([phases.refresh, phases.destroy]);
