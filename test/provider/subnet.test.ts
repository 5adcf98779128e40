import { laws } from "./laws.ts";
import { subnetTable } from "./tables/subnet.ts";

await laws(subnetTable);
