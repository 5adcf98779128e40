import { laws } from "./laws.ts";
import { tokenTable } from "./tables/token.ts";

await laws(tokenTable);
