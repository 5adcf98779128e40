/** How our rules are called as a policy pack. */
export const packName = "container-platform";
