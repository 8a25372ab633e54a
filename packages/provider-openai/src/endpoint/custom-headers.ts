/**
 * Null for each header in OPENAI_CUSTOM_HEADERS. The SDK adds these headers to every request, to any server; null removes
 * them again.
 */
export function withoutCustomHeaders(): Record<string, null> {
  const lines = (globalThis.process?.env.OPENAI_CUSTOM_HEADERS ?? "").split("\n");
  const names = lines.filter((line) => line.includes(":")).map((line) => line.slice(0, line.indexOf(":")).trim());
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), null]));
}
