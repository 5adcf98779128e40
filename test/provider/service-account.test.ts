import { laws } from "./laws.ts";
import { serviceAccountTable } from "./tables/service-account.ts";

await laws(serviceAccountTable);
