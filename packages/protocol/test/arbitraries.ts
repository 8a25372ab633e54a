import fc from "fast-check";

/** Pieces that wire text is made of, each a place where a parser can go wrong. */
const fragments = [
  "<think>",
  "</think>",
  "<execute>",
  "</execute>",
  "<results>",
  "</results>",
  "<end>",
  "<Think>",
  "<think >",
  "<thi",
  "</",
  "<",
  "<<think>",
  "`",
  "``",
  "```",
  "````js",
  "\n",
  "\r\n",
  " ",
  "\t",
  "a",
  "prose, with words",
  "é漢",
  "🚀",
  "\ud83d",
  "\ude80",
  "[",
  "]",
  "{",
  "}",
  '"',
  "\\",
  ",",
  "[]",
  '[{"name":"ls","args":{}}]',
];

/** Strings full of what must be escaped. */
const escapedText = fc
  .array(fc.constantFrom('"', "\\", "\n", "a", "</execute>", "🚀"), { maxLength: 8 })
  .map((pieces) => JSON.stringify({ value: pieces.join("") }));

const argsText = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ value }));

/** A block with real JSON in it, so that generated texts reach the deep states too. */
export const callBlock = fc
  .array(fc.tuple(fc.constantFrom("ls", "read", "</execute>"), fc.oneof(argsText, escapedText)), { maxLength: 3 })
  .chain((calls) =>
    fc.constantFrom("", " ", "\n").map((gap) => {
      const elements = calls.map(([name, args]) => `{${gap}"name":${JSON.stringify(name)},"args":${args}}`);
      return `<execute>${gap}[${gap}${elements.join(`,${gap}`)}${gap}]${gap}</execute>`;
    }),
  );

/** Text as a model may write it, good and bad. */
export const wireText = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...fragments) },
      { weight: 1, arbitrary: callBlock },
      { weight: 1, arbitrary: argsText },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(""));

/** A valid block with a few characters dropped, doubled or replaced. */
export const damagedBlock = fc
  .tuple(callBlock, fc.array(fc.tuple(fc.nat(), fc.constantFrom("", '"', "\\", "}", "]", ",", "7", "<", "e", "\n"))))
  .map(([block, damages]) => {
    let text = block;
    for (const [at, replacement] of damages.slice(0, 3)) {
      const index = at % (text.length + 1);
      text = text.slice(0, index) + replacement + text.slice(index + 1);
    }
    return text;
  });

/** `text` cut at up to twelve places, also inside surrogate pairs and with empty pieces. */
export function cut(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) => {
    const bounds = [0, ...cuts.sort((a, b) => a - b), text.length];
    return bounds.slice(1).map((end, i) => text.slice(bounds[i], end));
  });
}

export const parserOptions = fc.record({
  results: fc.constantFrom("forbid" as const, "allow" as const),
  startIn: fc.constantFrom("text" as const, "think" as const),
});

export const finishReason = fc.constantFrom("stop" as const, "length" as const);
