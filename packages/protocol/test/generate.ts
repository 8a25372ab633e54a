import { messageVectors, parserVectors } from "../src/testkit/vectors.ts";
import type { FinishReason } from "../src/usage.ts";
import { fragment, gap } from "./generate/fragments.ts";
import { type Habits, JsonWriter } from "./generate/json.ts";
import { mutate } from "./generate/mutate.ts";
import { Random } from "./generate/random.ts";
import { XmlWriter } from "./generate/xml.ts";
import type { ReferenceOptions } from "./reference/reference.ts";

/** A text for a parser, and how to read it. */
export interface Input {
  /** The number from which everything else follows. */
  seed: number;
  text: string;
  /** The text in pieces. */
  chunks: string[];
  options: ReferenceOptions;
  /** Whether the parser emits call deltas. They must change nothing else. */
  callDeltas: boolean;
}

/** The rules that an input tests. */
export const families = ["json", "repair", "xml", "transcript"] as const;

type Family = (typeof families)[number];

/** The input of a seed. The remainder of the seed, divided by the number of families, selects the family. */
export function generate(seed: number): Input {
  // Neighbouring seeds must have nothing in common.
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const options = optionsOf(random, families[seed % families.length] ?? "json");
  const text = textOf(random, options);
  return { seed, text, chunks: cutAtRandom(random, text), options, callDeltas: random.chance(0.3) };
}

function optionsOf(random: Random, family: Family): ReferenceOptions {
  const options: ReferenceOptions = {
    dialect: family === "xml" || (family === "transcript" && random.chance(0.5)) ? "xml" : "json",
    results: family === "transcript" ? "allow" : "forbid",
  };
  if (family === "repair" || random.chance(0.1)) options.repair = true;
  if (random.chance(0.1)) options.startIn = "think";
  if (random.chance(0.4)) options.finish = random.pick(finishes);
  return options;
}

const finishes: FinishReason[] = ["stop", "length", "tool_calls", "content_filter", "aborted", "other"];

/** A message of this dialect or of the other one, or a text from the vectors; often damaged. */
function textOf(random: Random, options: ReferenceOptions): string {
  if (random.chance(0.1)) return mutate(random, random.pick(vectorTexts), random.pick(vectorTexts));
  const habits: Habits = {
    slip: random.pick([0, 0, 0, 0.02, 0.15]),
    repairable: options.repair ? random.pick([0, 0.05, 0.2, 0.4]) : random.pick([0, 0, 0, 0.05]),
  };
  const message = writeMessage(random, options, habits);
  return random.chance(0.3) ? mutate(random, message, random.pick(vectorTexts)) : message;
}

const vectorTexts = [
  ...Object.values(parserVectors)
    .flat()
    .map((vector) => vector.chunks.join("")),
  ...messageVectors.flatMap(({ messages }) =>
    messages.flatMap((message) => ("content" in message && typeof message.content === "string" ? message.content : [])),
  ),
];

function writeMessage(random: Random, options: ReferenceOptions, habits: Habits): string {
  let message = "";
  for (let count = random.pick([0, 0, 1, 2, 3, 6]); count > 0; count--) {
    const kind = random.below(12);
    if (kind === 0) message += think(random);
    else if (kind < 3 && (options.results === "allow" || random.chance(0.1))) message += results(random, habits);
    else if (kind < 6) message += random.pick(prose);
    else message += fragment(random);
  }
  if (random.chance(0.85)) message += execute(random, options, habits);
  if (random.chance(0.2)) message += fragment(random);
  return message;
}

const prose = [
  "I will read it.\n",
  "One.\n\nTwo.\n",
  "Use `<execute>` here. ",
  "```xml\n<execute>\n<end>\n```\n",
  "a ` b\n",
  "\n",
];

function think(random: Random): string {
  return `<think>${random.some(4, () => fragment(random))}${random.chance(0.85) ? "</think>" : ""}`;
}

function execute(random: Random, options: ReferenceOptions, habits: Habits): string {
  const isXml = (options.dialect === "xml") !== random.chance(0.02);
  const block = isXml ? new XmlWriter(random, habits.slip).block() : new JsonWriter(random, habits).block();
  const end = random.below(10);
  if (end === 0) return `<execute>${block}`;
  if (end === 1) return `<execute>${block}${"</execute>".slice(0, random.below(10))}`;
  if (end === 2) return `<execute>${block}`.slice(0, 9 + random.below(block.length + 1));
  return `<execute>${block}</execute>`;
}

function results(random: Random, habits: Habits): string {
  const json = new JsonWriter(random, { ...habits, repairable: 0 });
  const result = () => {
    const status = random.pick(["success", "success", "failure", random.chance(habits.slip) ? "ok" : "success"]);
    const content = status === "failure" && random.chance(0.95) ? '"no such file"' : json.value(2);
    const fields = [
      `"tool":"${random.pick(["a", "</results>", "\\ud83d", "é"])}"`,
      `"status":"${status}"`,
      `"content":${content}`,
    ];
    if (random.chance(habits.slip)) fields.pop();
    if (random.chance(0.1)) fields.push('"id":"1"');
    // If there are two, the last one counts.
    if (random.chance(0.1)) fields.push(random.pick(['"status":"success"', '"tool":7', '"content":null']));
    return `{${(random.chance(0.2) ? random.shuffled(fields) : fields).join(`,${gap(random)}`)}}`;
  };
  const array = `[${gap(random)}${random.some(3, result, `,${gap(random)}`)}${gap(random)}]`;
  const closer = random.chance(0.05) ? random.pick(["", "</result", "x</results>", " , </results>"]) : "</results>";
  return `<results>${gap(random)}${array}${gap(random)}${closer}`;
}

/** Pieces of all sizes, some empty. */
function cutAtRandom(random: Random, text: string): string[] {
  const longest = random.pick([1, 2, 3, 7, 30, 300]);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + random.below(longest + 1) + (random.chance(0.1) ? 0 : 1);
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}
