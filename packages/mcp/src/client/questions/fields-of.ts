/** The fields of an object that nobody has checked; none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? (value as Record<string, unknown>) : {};
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
