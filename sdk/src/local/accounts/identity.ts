import { getCallerIdentity } from "../../catalogue/identity.ts";
import { type Behaviour, on } from "../behaviour.ts";

export const identityBehaviours: readonly Behaviour[] = [
  on(getCallerIdentity, ({ account, uin }) => ({ accountId: account, userId: uin })),
];
