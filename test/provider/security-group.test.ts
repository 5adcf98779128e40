import { laws } from "./laws.ts";
import { securityGroupTable } from "./tables/security-group.ts";

await laws(securityGroupTable);
