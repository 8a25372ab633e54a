/** Replaces a secret. A program that reads arguments back from a log must not run calls whose arguments contain it. */
export const redactionMark = "[redacted]";
