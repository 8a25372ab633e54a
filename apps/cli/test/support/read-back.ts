/** The text that an exact text shows. */
export function readBack(shown: string): string {
  return shown.replace(/\\u(?:([\da-f]{4})|\{([\da-f]+)\})/g, (_, short?: string, long?: string) =>
    String.fromCodePoint(Number.parseInt(short ?? long ?? "", 16)),
  );
}
