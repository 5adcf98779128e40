import { phases } from "./faults.ts";
import { faultsIn } from "./faults-suite.ts";

faultsIn([phases.update, phases.replacedBeside, phases.replacedInPlace], "in process");
