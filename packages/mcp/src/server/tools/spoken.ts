const texts = new WeakMap<object, string>();

/** A value whose text is not its JSON. */
export function spoken<Value extends object>(value: Value, text: string): Value {
  texts.set(value, text);
  return value;
}

export function spokenText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}
