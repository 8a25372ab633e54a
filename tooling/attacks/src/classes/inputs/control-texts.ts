/** Texts that control a terminal or change the reading direction. */
type ControlText = [name: string, text: string];

export const controlTexts: readonly ControlText[] = [
  ["an escape", "\u001b]0;pwned\u0007"],
  ["an introducer of one byte", "\u009b31m"],
  ["a command of one byte", "\u009d0;pwned\u009c"],
  ["a shift of the character set", "\u008e\u008f"],
  ["a right-to-left override", "\u202etxt.exe"],
  ["an isolate", "\u2067abc\u2069"],
  ["an Arabic letter mark", "\u061c"],
  ["a delete", "\u007f\u007f"],
  ["a carriage return", "safe\rpwned"],
  ["backspaces", "safe\b\b\b\b"],
];
