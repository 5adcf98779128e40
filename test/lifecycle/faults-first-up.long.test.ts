import { phases } from "./faults.ts";
import { faultsIn } from "./faults-suite.ts";

faultsIn([phases.firstUp], "in process");
