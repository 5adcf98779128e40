/** The name of these rules as a policy pack. */
export const packName = "container-platform";
