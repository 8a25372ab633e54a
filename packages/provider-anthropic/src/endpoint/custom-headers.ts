/** The headers of ANTHROPIC_CUSTOM_HEADERS, one a line, which the SDK adds to every request, whoever it goes to. */
export function customHeaders(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const lines = (environment.ANTHROPIC_CUSTOM_HEADERS ?? "").split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
