import * as z from "zod";

/** Text without lone surrogates: a file cannot hold one, and replacing one would split a character. */
export function textArgument() {
  return z.string().refine((text) => text.isWellFormed(), { error: "holds half a character (a lone surrogate)" });
}
