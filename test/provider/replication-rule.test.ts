import { laws } from "./laws.ts";
import { replicationRuleTable } from "./tables/replication-rule.ts";

await laws(replicationRuleTable);
