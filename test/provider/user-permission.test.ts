import { laws } from "./laws.ts";
import { userPermissionTable } from "./tables/user-permission.ts";

await laws(userPermissionTable);
