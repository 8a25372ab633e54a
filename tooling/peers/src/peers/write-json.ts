import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a value as JSON to a file, whose folder is made. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
