/** A password that must never be seen, neither in an output nor in a sentence. */
export const password = "correct-horse-battery";
