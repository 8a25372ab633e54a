/** The headers in a text of lines such as `name: value`, as SDKs read them from a variable of the environment. */
export function headerLines(text = ""): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
