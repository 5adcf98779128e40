import { phases } from "./faults.ts";
import { faultsIn } from "./parts.ts";

faultsIn([phases.update, phases.replacedBeside, phases.replacedInPlace]);
