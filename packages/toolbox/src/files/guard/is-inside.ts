import { sep } from "node:path";

/** Whether an absolute, normalized path is a folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
