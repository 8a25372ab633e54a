import { definitionError } from "./errors.ts";

/**
 * Refuses an invalid name of a tool: one that does not match `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, or the name of a marker
 * (protocol.md §1).
 *
 * @throws ToolError `invalid_name`, `reserved_name`
 */
export function checkToolName(name: string): void {
  if (typeof name !== "string" || !wellFormed.test(name)) {
    throw definitionError(
      "invalid_name",
      String(name),
      "a name begins with a letter or an underscore and holds at most 64 letters, digits, underscores and hyphens.",
    );
  }
  if (markers.has(name)) {
    throw definitionError("reserved_name", name, "the protocol uses this name as a marker; choose another.");
  }
}

const wellFormed = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const markers: ReadonlySet<string> = new Set(["think", "execute", "results", "end"]);
