import type { Call, ReadBlock } from "./block.ts";
import { skipSpace } from "./characters.ts";
import { readString } from "./json-string.ts";
import { jsonText } from "./json-text.ts";
import { next, readItems, readMembers, readStringValue, readValue, type Source, type Value } from "./json-value.ts";
import { Cut, Refusal } from "./refusal.ts";

/**
 * §1, JSON dialect: one array of calls. P6: the closer counts only outside of strings, and a fault is reported at the
 * character that makes it one. With `repair`, the closed list of §2.
 */
export const readJsonBlock: ReadBlock = (text, from, { repair = false }, announce) => {
  const source: Source = { text, at: from, repair, limits: true, structureOnly: false, repaired: false };
  const end = readBlock(source, announce);
  return { end, repaired: source.repaired };
};

/**
 * P6: strings are checked at the latest when their call closes, or at a fault in the structure before that. `wrongAt` is
 * the index of the fault in the string.
 */
export function latestRefusal(text: string, from: number, repair: boolean, wrongAt: number): number {
  const source: Source = { text, at: from, repair, limits: true, structureOnly: true, repaired: false };
  const closes: number[] = [];
  try {
    readBlock(source, ({ at }) => closes.push(at));
  } catch (problem) {
    if (problem instanceof Refusal) closes.push(problem.last);
    else if (!(problem instanceof Cut)) throw problem;
  }
  return closes.find((at) => at >= wrongAt) ?? text.length;
}

/** The index after the closer; undefined if the text ends and only the closer, or a part of it, is missing. */
function readBlock(source: Source, announce: (call: Call) => void): number | undefined {
  const fence = source.repair ? readFenceOpener(source) : 0;
  if (next(source) === "[") {
    readItems(source, 1, () => announce(readCall(source)));
  } else if (source.repair) {
    source.repaired = true;
    announce(readCall(source));
  } else {
    throw new Refusal(source.at);
  }
  return readTail(source, fence);
}

/** `{"name": …, "args": …}` in any order; other keys are ignored. Its depth is 2, that of its args 3. */
function readCall(source: Source): Call {
  if (source.text.charAt(source.at) !== "{") throw new Refusal(source.at);
  let name: string | undefined;
  let args: Value | undefined;
  let rawName = "";
  let raw = "";
  let isNamedFirst = false;
  readMembers(source, 2, (key) => {
    const from = source.at;
    const first = source.text.charAt(from);
    if (key === "name") {
      if (first !== '"') throw new Refusal(from);
      name = readStringValue(source);
      rawName = source.text.slice(from + 1, source.at - 1);
    } else if (key === "args") {
      if (first !== "{" && !(source.repair && first === '"')) throw new Refusal(from);
      args = first === "{" ? readValue(source, 2) : readEncodedArgs(source);
      raw = source.text.slice(from, source.at);
      isNamedFirst = name !== undefined;
    } else {
      readValue(source, 2);
    }
  });
  const at = source.at - 1;
  if (source.structureOnly) return { content: "", rawName, raw, isNamedFirst, at };
  if (name === undefined || args === undefined) throw new Refusal(at);
  const content = `{"name":${JSON.stringify(name)},"args":${jsonText(args)}}`;
  return { content, rawName, raw, isNamedFirst, at };
}

/**
 * Repair: `args` as a string that holds one JSON object. It may be refused anywhere from its opening quote on. Its content
 * matters only once it is complete: a string that the end of the text cuts off is truncated, not malformed.
 */
function readEncodedArgs(source: Source): Value {
  if (source.structureOnly) return readStringValue(source);
  const from = source.at;
  const { value, end } = readString(source.text, from, true);
  source.at = end;
  source.repaired = true;
  try {
    return readEncodedObject(value);
  } catch (problem) {
    if (problem instanceof Refusal || problem instanceof Cut) throw new Refusal(from, { inString: true });
    throw problem;
  }
}

function readEncodedObject(text: string): Value {
  const source: Source = { text, at: 0, repair: true, limits: true, structureOnly: false, repaired: false };
  if (next(source) !== "{") throw new Refusal(source.at);
  const object = readValue(source, 2);
  if (skipSpace(text, source.at) !== text.length) throw new Refusal(source.at);
  return object;
}

/** The largest number of backticks in a fence, of characters behind them, and of characters in a token. */
const longest = 99;

/**
 * Repair: three or more backticks and the rest of their line, which holds no backtick. The first beyond 99 is refused.
 */
function readFenceOpener(source: Source): number {
  const { text } = source;
  const fence = readRun(source, /`/, longest);
  if (fence === 0) return 0;
  if (source.at === text.length) throw new Cut();
  if (fence < 3) throw new Refusal(source.at);
  readRun(source, /[^`\n\r]/, longest);
  need(source, /[\n\r]/);
  source.repaired = true;
  return fence;
}

/** Reads all next characters of a kind and returns their number. One more than `most` is refused. */
function readRun(source: Source, kind: RegExp, most: number): number {
  const from = source.at;
  while (kind.test(source.text.charAt(source.at))) {
    if (source.at - from === most) throw new Refusal(source.at);
    source.at++;
  }
  return source.at - from;
}

/** Reads one character of this kind. */
function need(source: Source, kind: RegExp): void {
  if (source.at === source.text.length) throw new Cut();
  if (!kind.test(source.text.charAt(source.at))) throw new Refusal(source.at);
  source.at++;
}

const closer = "</execute>";

/** Reads the text after the array: the fence's closer if one is open, then tokens `<|…|>`, and the block's closer. */
function readTail(source: Source, fence: number): number | undefined {
  const { text } = source;
  source.at = skipSpace(text, source.at);
  if (fence > 0) {
    const run = readRun(source, /`/, Infinity);
    if (run < fence) throw source.at === text.length ? new Cut() : new Refusal(source.at);
    source.at = skipSpace(text, source.at);
  }
  while (source.repair && text.startsWith("<|", source.at)) {
    readToken(source);
    source.at = skipSpace(text, source.at);
  }
  return readCloser(source);
}

/**
 * Repair: `<|`, one or more characters other than white space, `<`, `>` and `|`, then `|>`. The first beyond 99 is
 * refused.
 */
function readToken(source: Source): void {
  source.at += 2;
  const length = readRun(source, /[^\t\n\r <>|]/, longest);
  need(source, length > 0 ? /\|/ : /[^\t\n\r <>|]/);
  need(source, />/);
  source.repaired = true;
}

function readCloser(source: Source): number | undefined {
  for (const character of closer) {
    if (source.at === source.text.length) return undefined;
    if (source.text.charAt(source.at) !== character) throw new Refusal(source.at);
    source.at++;
  }
  return source.at;
}
