import { laws } from "./laws.ts";
import { nodePoolTable } from "./tables/node-pool.ts";

await laws(nodePoolTable);
