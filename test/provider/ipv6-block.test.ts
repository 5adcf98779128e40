import { laws } from "./laws.ts";
import { ipv6BlockTable } from "./tables/ipv6-block.ts";

await laws(ipv6BlockTable);
