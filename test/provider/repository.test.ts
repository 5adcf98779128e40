import { laws } from "./laws.ts";
import { repositoryTable } from "./tables/repository.ts";

await laws(repositoryTable);
