/** Milliseconds, about 24 days. A timer that is set for longer fires at once in every JavaScript runtime. */
export const longestTimer = 2 ** 31 - 1;
