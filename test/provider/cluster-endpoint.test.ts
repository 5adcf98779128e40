import { laws } from "./laws.ts";
import { clusterEndpointTable } from "./tables/cluster-endpoint.ts";

await laws(clusterEndpointTable);
