/** What stands where a secret was. Who reads arguments back from a log must not act on those that hold it. */
export const redactionMark = "[redacted]";
