/** The headers in ANTHROPIC_CUSTOM_HEADERS, one on each line. The SDK adds them to every request, to any server. */
export function customHeaders(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const lines = (environment.ANTHROPIC_CUSTOM_HEADERS ?? "").split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
