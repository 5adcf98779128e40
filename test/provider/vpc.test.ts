import { laws } from "./laws.ts";
import { vpcTable } from "./tables/vpc.ts";

await laws(vpcTable);
