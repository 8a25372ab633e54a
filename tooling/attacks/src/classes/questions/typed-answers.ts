/** The typed or pasted input, when it comes, and how many of the two calls may run. */
export type TypedAnswer = [name: string, typed: string, when: "before" | "at", mayRun: number];

export const typedAnswers: readonly TypedAnswer[] = [
  ["a yes typed before the question", "y\ry\r", "before", 0],
  ["a line feed before the question", "\n\n\n", "before", 0],
  ["two answers pasted at once", "y\ry\r", "at", 1],
  ["ten answers pasted at once", "y\r".repeat(10), "at", 1],
  ["no, then yes", "n\ry\r", "at", 0],
  ["yes, with more behind it", "yes please\r", "at", 0],
  ["yes in wide letters", "\uff59\r", "at", 0],
  ["yes in another alphabet", "\u0443\r", "at", 0],
  ["yes with an invisible character", "y\u200b\r", "at", 0],
  ["yes with a zero byte", "y\u0000es\r", "at", 0],
  ["a yes taken back", "y\u007f\r", "at", 0],
  ["a yes erased with its line", "y\u0015\r", "at", 0],
  ["a pasted yes in brackets", "\u001b[200~y\r\u001b[201~", "at", 0],
  ["a yes behind an escape", "\u001by\r", "at", 0],
  ["an answer of a terminal to a question", "\u001b[?1;2c\u001b[24;80R\r", "at", 0],
  ["only a line feed", "\r", "at", 0],
  ["oui", "oui\r", "at", 0],
  ["1", "1\r", "at", 0],
  ["true", "true\r", "at", 0],
  ["the end of input", "\u0004", "at", 0],
  ["a long text that begins with y", `y${" y".repeat(800)}\r`, "at", 0],
  ["a text of several lines, the first of them empty", "\ry\r", "at", 0],
];
