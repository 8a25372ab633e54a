/**
 * The message of a thrown value: a string itself, or the `message` of an object, which may be an error of another realm.
 * Empty if there is none, undefined if it cannot be read. Never throws.
 */
export function messageOf(thrown: unknown): string | undefined {
  try {
    const message = typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown;
    return typeof message === "string" ? message : "";
  } catch {
    return undefined;
  }
}
