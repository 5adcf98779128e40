import { laws } from "./laws.ts";
import { namespaceTable } from "./tables/namespace.ts";

await laws(namespaceTable);
