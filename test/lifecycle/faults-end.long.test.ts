import { phases } from "./faults.ts";
import { faultsIn } from "./faults-suite.ts";

faultsIn([phases.refresh, phases.destroy], "in process");
