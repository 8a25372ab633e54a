/** Reads the original text back from an exact text. */
export function readBack(shown: string): string {
  return shown.replace(/\\u(?:([\da-f]{4})|\{([\da-f]+)\})/g, (_, short?: string, long?: string) =>
    String.fromCodePoint(Number.parseInt(short ?? long ?? "", 16)),
  );
}
