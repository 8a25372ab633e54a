import { resolve } from "node:path";
import { realPath } from "./real-path.ts";

/** What the conversations of a run belong to: the root, by its real path. */
export function scopeOf(root: string): string {
  return realPath(resolve(root)) ?? resolve(root);
}
