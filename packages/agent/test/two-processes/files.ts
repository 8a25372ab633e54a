import { readFileSync } from "node:fs";

/** Files in the folder that the processes share. */
export const files = {
  talks: "talks.json",
  /** A line for each payment that was made. */
  effects: "effects",
  /** A `Sending` a line. */
  journal: "journal",
  /** A line for each conversation that the sender has finished. */
  finished: "finished",
  /** Exists once the sender shall begin no further conversation. */
  enough: "enough",
} as const;

/** The lines of a file; none if nothing was written yet. */
export function linesIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
