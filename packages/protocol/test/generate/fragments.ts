import type { Random } from "./random.ts";

const spaces = [" ", "\n", "\r", "\t", "\r\n", "  ", "\n\n", "\n  "];

/** Characters that other specifications call white space or the end of a line. */
const notSpaces = ["\u00a0", "\u2028", "\ufeff", "\u3000", "\v", "\f", "\u0085"];

const markers = ["<think>", "</think>", "<execute>", "</execute>", "<results>", "</results>", "<end>"];

const nearMarkers = [
  "</end>",
  "<Execute>",
  "<think >",
  "<END>",
  "<e",
  "<t",
  "<th",
  "</t",
  "</",
  "<",
  "<<",
  "<ex",
  "<re",
  "</ex",
];

const code = [
  "`",
  "``",
  "```",
  "````",
  "```js",
  "```\n",
  "\n```",
  "\n```\n",
  "~~~",
  "\n  ```",
  "``` \n",
  "```\r",
  "`x`",
  "\n```sh\n",
];

const surrogates = ["\ud83d", "\ude00", "\ud83d\ude00", "\udbff", "\udc00", "🚀"];

const plain = ["a", "b", "some text", "[", "{", "]", "}", "[1]", ">", '"', "\\", "0", ",", "é漢", "|", "<|x|>", "."];

/** White space between tokens: mostly none. */
export function gap(random: Random): string {
  return random.chance(0.7) ? "" : random.pick(spaces);
}

/** A small piece of a message, of any kind. */
export function fragment(random: Random): string {
  const kind = random.below(20);
  if (kind < 4) return random.pick(spaces);
  if (kind < 5) return random.pick(notSpaces);
  if (kind < 8) return random.pick(markers);
  if (kind < 10) return random.pick(nearMarkers);
  if (kind < 13) return random.pick(code);
  if (kind < 14) return random.pick(surrogates);
  if (kind < 15) return random.pick(markers) + random.pick(spaces) + random.pick(["[", "{", "`", "<", "x", ""]);
  return random.pick(plain);
}
