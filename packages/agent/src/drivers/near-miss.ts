import type { ToolSpec } from "@cogency/protocol";
import { nameParts } from "@cogency/protocol/options";

interface Answer {
  /** As the model wrote it. */
  text: string;
  tools: readonly ToolSpec[];
  /** Whether the answer began inside of thinking. */
  startsInThought: boolean;
  /** Whether the model said that its turn is over. */
  hasEnded: boolean;
  /** How the model calls tools. */
  way: "block" | "native";
}

/**
 * What the model is told of an answer without a block that holds a call all the same: in a code fence, in another library's form, as
 * bare JSON, or in thinking that it never closed. Undefined for any other answer: only a call of one of the tools counts, and an
 * answer that shows one in the middle, or between backticks, is an answer.
 */
export function nearMissIn({ text, tools, startsInThought, hasEnded, way }: Answer): string | undefined {
  if (tools.length === 0) return undefined;
  const names = new Set(tools.map(({ name }) => name));
  const told = (name: string | undefined, where: string) =>
    name === undefined
      ? undefined
      : `Your last message held a call of ${name} ${where}, so it did not run. ${ways[way]} If it was meant as text, answer once more.`;
  const written = text.slice(-longest).replace(/<end>\s*$/, "");
  const thought = openThought(written, startsInThought);
  if (thought !== undefined) return told(markedCall(thought, names), "in thinking that was not closed");
  const end = (written.split("</think>").at(-1) ?? "").trimEnd();
  const fence = /(?:^|\n)[ \t]*(```|~~~)[^\n]*\n((?:(?!\n[ \t]*\1).)*)\n[ \t]*\1$/s.exec(end)?.[2];
  if (fence !== undefined) {
    // Whoever ends the turn there has shown it.
    return hasEnded ? undefined : told(markedCall(fence, names) ?? jsonCall(fence, names), "in a code fence");
  }
  const outsideCode = end.replace(/```.*?```|~~~.*?~~~|`[^`\n]*`/gs, "");
  const call = markedCall(outsideCode, names) ?? (hasEnded ? undefined : jsonCall(end, names));
  return told(call, "in another form");
}

/** UTF-16 code units at the end of an answer that are looked at. */
const longest = 32 * 1024;

/** What the model is to write. */
const ways = {
  block: "To call a tool, write a block as the protocol says, by itself.",
  native: "To call a tool, use the tool calls of this API, not the text of your answer.",
};

/** The thinking that the text ends in. */
function openThought(text: string, startsInThought: boolean): string | undefined {
  const from = text.lastIndexOf("<think>");
  if (text.includes("</think>", Math.max(0, from))) return undefined;
  if (from !== -1) return text.slice(from);
  return startsInThought ? text : undefined;
}

/** The tool of a call in the markup of a tool dialect: one that is closed, or that the text ends in. */
function markedCall(text: string, names: ReadonlySet<string>): string | undefined {
  const from = text.search(opening);
  if (from === -1) return undefined;
  const markup = text.slice(from);
  if (!/[>}\])]$/.test(markup.trimEnd()) && !closing.test(markup)) return undefined;
  for (const found of markup.matchAll(named)) {
    const name = found.slice(1).find((group) => group !== undefined);
    const known = name === undefined ? undefined : knownName(name, names);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** The tool that a name means, also behind what some models put around it: `functions.read:0`, `default_api:read`. */
function knownName(name: string, names: ReadonlySet<string>): string | undefined {
  return names.has(name) ? name : nameParts(name).findLast((part) => names.has(part));
}

const tags = "execute|tool_calls?|tool_use|tool_code|function_calls?|function|invoke";
const token = "[^<>|｜]{0,32}";
/**
 * The beginning of a call in one of the dialects that models know: an element (`<tool_call>`, `<minimax:tool_call>`,
 * `<｜DSML｜invoke …>`), a special token (`<|python_tag|>`, `<｜tool▁calls▁begin｜>`, `<|channel|>` of Harmony), or Mistral's mark.
 */
const opening = new RegExp(
  `<(?:[a-z]{1,16}:|[|｜]DSML[|｜])?(?:start_)?(?:${tags})(?=[\\s>=])|\\[TOOL_CALLS?\\]|` +
    `<[|｜]${token}(?:tool|python_tag|function|channel)${token}[|｜]>`,
  "i",
);
const closing = new RegExp(`</(?:[a-z]{1,16}:|[|｜]DSML[|｜])?(?:${tags})>`, "i");

/** Where the dialects have the name of the tool. */
const named =
  /["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.:/-]+)["']|\bname=["']([\w.:/-]+)["']|<function=([\w.:/-]+)|<(?:tool_)?name>\s*([\w.:/-]+)|\bto=([\w.:/-]+)|[|｜]>\s*([\w.:/-]+)|\[TOOL_CALLS?\]\s*([\w.:/-]+)|(?<=[>\s([])([\w.:/-]+)\s*[({]|<tool_call>\s*([\w.:/-]+)|<([\w-]+)>/g;

/** The tool of the call or calls in JSON that the text ends in, which begin on a line of their own. */
function jsonCall(text: string, names: ReadonlySet<string>): string | undefined {
  if (!/[}\]]$/.test(text)) return undefined;
  const starts = [...text.matchAll(/^[ \t]*[{[]/gm)].slice(0, mostStarts);
  for (const { index } of starts) {
    const name = calledIn(parsed(text.slice(index)), names);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Lines that are tried as the first one of a call. */
const mostStarts = 5;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The tool that the value calls. A list is one of calls if all of its items are. */
function calledIn(value: unknown, names: ReadonlySet<string>): string | undefined {
  if (Array.isArray(value)) {
    const called = value.map((item) => calledIn(item, names));
    return called.includes(undefined) ? undefined : called[0];
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { name, tool = name, tool_name = tool, function: inner, description } = value as Record<string, unknown>;
  if (typeof inner === "object") return calledIn(inner, names);
  const called = inner ?? tool_name;
  const hasArgs = Object.keys(value).some((key) => argumentKeys.test(key));
  // A description belongs to the tool itself, not to a call.
  if (typeof called !== "string" || !hasArgs || description !== undefined) return undefined;
  return knownName(called, names);
}

const argumentKeys = /^(args|arguments|param(eter)?s|(tool_)?input)$/;
