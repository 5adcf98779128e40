import { laws } from "./laws.ts";
import { clusterTable } from "./tables/cluster.ts";

await laws(clusterTable);
