import * as z from "zod";

/** Text that a file can hold: half a surrogate pair cannot be written, and found, it would tear a character apart. */
export function textArgument() {
  return z.string().refine((text) => text.isWellFormed(), { error: "holds half a character (a lone surrogate)" });
}
