import { readFileSync } from "node:fs";
import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

/** The text that `--system` gives: itself, or what the file behind an `@` holds. @throws UsageError if that cannot be read */
export function systemText(given: string): string {
  if (!given.startsWith("@")) return given;
  const file = given.slice(1);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(`--system: ${oneLine(file, 300)} cannot be read (${code}).`, { cause });
  }
}
