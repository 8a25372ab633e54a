import * as z from "zod";

/** A path as a model gives it. That it stays inside the root is checked when the call is judged. */
export function pathArgument() {
  return z.string().min(1, { error: 'is empty; "." is the root folder' });
}
