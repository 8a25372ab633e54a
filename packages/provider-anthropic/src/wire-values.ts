/** Whether a value from the wire has fields that can be looked at. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is no text is empty. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
