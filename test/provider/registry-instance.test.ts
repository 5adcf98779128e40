import { laws } from "./laws.ts";
import { registryInstanceTable } from "./tables/registry-instance.ts";

await laws(registryInstanceTable);
