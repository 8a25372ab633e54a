import { expect, it } from "vitest";
import { clipboardBytes, mostCopied } from "./clipboard-bytes.ts";

function copied(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of a terminal.
  const [, base64] = /^\x1b\]52;c;([A-Za-z0-9+/=]*)\x07$/.exec(clipboardBytes(text) ?? "") ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, "base64").toString();
}

it.each([
  ["a text as it is", "let a = `é`;\n\tb 漢字 😀", "let a = `é`;\n\tb 漢字 😀"],
  ["no character that would run something where it is pasted", "l\u202es\u001b[201~\r\u0007\u009b2J\n", "ls\n"],
  ["as much as terminals take", "x".repeat(mostCopied), "x".repeat(mostCopied)],
  ["nothing of a text that is longer", "x".repeat(mostCopied + 1), undefined],
])("copies %s", (_, text, clipboard) => {
  expect(copied(text)).toBe(clipboard);
});
