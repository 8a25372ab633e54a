import { resolve } from "node:path";
import { realPath } from "./files/real-path.ts";

/** The scope of a run's conversations: the real path of the root. */
export function scopeOf(root: string): string {
  return realPath(resolve(root)) ?? resolve(root);
}
