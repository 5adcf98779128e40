import { z } from "zod";
import { table } from "../../store/table.ts";

/** What edge machines are made after. */
export const edgeModules = table("edgeModules", z.object({ id: z.string(), name: z.string() }));
