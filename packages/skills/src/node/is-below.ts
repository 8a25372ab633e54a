import { sep } from "node:path";

/** Whether a path is below a folder. Both are real paths. */
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
