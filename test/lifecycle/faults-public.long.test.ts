import { isLong } from "../../sdk/src/long.fixture.ts";
import { networkUp, phases } from "./faults.ts";
import { faultsIn } from "./faults-suite.ts";

/** The same in the form of the public API. */

faultsIn(isLong ? Object.values(phases) : [networkUp], "public");
