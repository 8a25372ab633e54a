import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryHome } from "./temporary-home.ts";

/** An empty folder that is removed when the running test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporaryHome, "cogency-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
