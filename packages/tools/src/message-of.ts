/**
 * The text of what was thrown: a string itself, or the message of an error or of what resembles one, such as an error
 * from another realm. Empty when there is none, undefined when it cannot be read. Never throws, whatever was thrown.
 */
export function messageOf(thrown: unknown): string | undefined {
  try {
    const message = typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown;
    return typeof message === "string" ? message : "";
  } catch {
    return undefined;
  }
}
