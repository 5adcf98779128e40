import { z } from "zod";
import { table } from "../../store/table.ts";

/** Templates of edge machines. */
export const edgeModules = table("edgeModules", z.object({ id: z.string(), name: z.string() }));
