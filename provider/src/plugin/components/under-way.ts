import { AsyncLocalStorage } from "node:async_hooks";
import type { Progress } from "../progress.ts";

/** The component that is being made: its children tell it when they are there. */
export const underWay = new AsyncLocalStorage<Progress>();
