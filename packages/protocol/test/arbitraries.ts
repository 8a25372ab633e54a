import fc from "fast-check";
import { JsonWriter } from "./generate/json.ts";
import { Random } from "./generate/random.ts";
import { type ReferenceOptions, reference } from "./reference/reference.ts";

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

/** A block that may need any of the repairs, and needs nothing else. Does not shrink. */
export const repairableBlock = rightOnes(
  fc.nat().map((seed) => {
    const block = new JsonWriter(new Random(seed), { slip: 0, repairable: 0.15 }).block();
    return `<execute>${block}</execute>`;
  }),
  { repair: true },
);

/** Few names, so that tools, arguments and tags in values often share one; names of markers are among them. */
const xmlName = fc.constantFrom("t", "a", "b", "1", "x.y-_", "execute", "think");

/** Pieces of a value of the XML dialect, also such as look like its end but are not. */
const xmlPieces = [
  "text",
  " ",
  "\n",
  "\r\n",
  "&amp;",
  "<br/>",
  "<",
  "</",
  "</a>",
  "</a >",
  "<t>",
  "</execute>",
  "\ud83d",
  "🚀",
];

const xmlCall = fc
  .tuple(
    xmlName,
    fc.uniqueArray(fc.tuple(xmlName, fc.array(fc.constantFrom(...xmlPieces), { maxLength: 5 })), {
      selector: ([name]) => name,
      maxLength: 3,
    }),
    fc.constantFrom("", " ", "\r\n"),
  )
  .map(([tool, args, gap]) => {
    const elements = args.map(([name, pieces]) => `<${name}>${pieces.join("")}</${name}>${gap}`);
    return `<${tool}>${gap}${elements.join("")}</${tool}>${gap}`;
  });

/** A block of the XML dialect, valid most of the time. */
const xmlBlock = fc.array(xmlCall, { maxLength: 3 }).map((calls) => `<execute>\n${calls.join("")}</execute>`);

const xmlFragments = ["<t>", "</t>", "<a>", "</a>", "</a></t>", "<execute><t>", "</t></execute>", "<1>", "x"];

/** Text as a model may write it, good and bad. */
export const wireText = textOf(fragments, callBlock);

/** The same in the XML dialect. */
export const xmlWireText = textOf([...fragments, ...xmlFragments], xmlBlock);

function textOf(pieces: readonly string[], block: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: block },
    { weight: 1, arbitrary: argsText },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  );
  return fc.array(piece, { maxLength: 24 }).map((texts) => texts.join(""));
}

/** A valid block with a few characters dropped, doubled or replaced. */
const damagedBlock = damaged(callBlock, ["", '"', "\\", "}", "]", ",", "7", "<", "e", "\n"]);

/** The same in the XML dialect. */
const damagedXmlBlock = damaged(xmlBlock, ["", "<", ">", "/", "a", "t", "é", " ", "\n", "</a>"]);

function damaged(block: fc.Arbitrary<string>, replacements: readonly string[]): fc.Arbitrary<string> {
  const damages = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...replacements)), { maxLength: 3 });
  return fc.tuple(block, damages).map(([whole, changes]) => {
    let text = whole;
    for (const [at, replacement] of changes) {
      const index = at % (text.length + 1);
      text = text.slice(0, index) + replacement + text.slice(index + 1);
    }
    return text;
  });
}

export const dialects = ["json", "xml"] as const;

type Dialect = (typeof dialects)[number];

/** Texts of each dialect: a message, a valid block, a damaged one, and any of the three. */
export const texts = {
  json: {
    message: wireText,
    block: rightOnes(callBlock, { dialect: "json" }),
    damaged: damagedBlock,
    any: fc.oneof(wireText, damagedBlock, callBlock),
  },
  xml: {
    message: xmlWireText,
    block: rightOnes(xmlBlock, { dialect: "xml" }),
    damaged: damagedXmlBlock,
    any: fc.oneof(xmlWireText, damagedXmlBlock, xmlBlock),
  },
};

/** The texts whose block is complete and takes effect. */
function rightOnes(block: fc.Arbitrary<string>, options: ReferenceOptions): fc.Arbitrary<string> {
  return block.filter((text) => {
    const { events, doneAt } = reference(text, options);
    return doneAt === text.length && events.at(-1)?.type === "execute";
  });
}

/** `text` cut at up to twelve places, also inside surrogate pairs and with empty pieces. */
export function cut(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) => {
    const bounds = [0, ...cuts.sort((a, b) => a - b), text.length];
    return bounds.slice(1).map((end, i) => text.slice(bounds[i], end));
  });
}

/** Any options with which texts of this dialect are read. */
export function parserOptionsIn(dialect: Dialect) {
  return fc.record({
    dialect: fc.constant(dialect),
    repair: fc.boolean(),
    results: fc.constantFrom("forbid" as const, "allow" as const),
    startIn: fc.constantFrom("text" as const, "think" as const),
    callDeltas: fc.boolean(),
  });
}

export const finishReason = fc.constantFrom("stop" as const, "length" as const);
