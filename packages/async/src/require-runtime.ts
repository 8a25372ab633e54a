/**
 * Refuses a runtime that is too old while it loads the package: otherwise a run would fail in its middle, at the first method that the
 * runtime lacks.
 *
 * @throws Error
 */
export function requireRuntime(): void {
  if (typeof Promise.withResolvers === "function") return;
  throw new Error(
    "Cogency needs a newer JavaScript runtime: Node.js 22.13 or later, or another one with Promise.withResolvers (ES2024).",
  );
}
