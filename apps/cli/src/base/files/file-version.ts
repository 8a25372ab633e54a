import { statSync } from "node:fs";

/** A text that changes whenever a file is replaced or written; `none` if there is no such file. */
export function fileVersion(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "none";
  }
}
