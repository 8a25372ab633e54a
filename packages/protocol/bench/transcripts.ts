import type { ToolCall } from "@cogency/protocol";
import { codeLines, markup, passages, thoughts } from "./corpus.ts";

/** One generation. Floors may use the other fields; a parser has to find them out. */
export interface Transcript {
  dialect: Dialect;
  text: string;
  /** The offset of `<execute>`. */
  blockStart: number;
  /** The offset of `</execute>`. */
  blockEnd: number;
  calls: ToolCall[];
}

export type Dialect = "json" | "xml";

/** Transcripts of about `size` characters, by name. */
export const transcripts = {
  mixed: (size: number) => mixed(size, "json"),
  "one argument": (size: number) => oneArgument(size, "json"),
  markup: (size: number) =>
    transcript(`${markup}\n\n`.repeat(Math.ceil(size / markup.length)), [write(0, 100)], "json"),
  "xml, mixed": (size: number) => mixed(size, "xml"),
  "xml, one argument": (size: number) => oneArgument(size, "xml"),
} satisfies Record<string, (size: number) => Transcript>;

export type TranscriptName = keyof typeof transcripts;

/**
 * Prose with code, lists and thinking, then one block, which takes a third of `size` characters. Its calls range from tiny
 * ones to one whose arguments are a quarter of the text, at most 1 MB.
 */
function mixed(size: number, dialect: Dialect): Transcript {
  const largest = Math.min(size / 4, 1_000_000);
  const calls: ToolCall[] = [{ name: "list", args: {} }];
  for (let left = size / 4; left >= 1; left -= largest) calls.push(write(calls.length, Math.min(left, largest)));
  for (let length = largest / 10, count = (3 * size) / 4 / largest; length >= 10; length /= 10) {
    for (let i = 0; i < count; i++) calls.push(write(calls.length, length), small(calls.length));
  }
  const block = transcript("", calls, dialect).text.length;
  let text = "";
  for (let turn = 0; text.length + block < size; turn++) {
    if (turn % 4 === 0) text += `<think>${cycle(thoughts, turn, 2).join("\n\n")}</think>\n\n`;
    text += `${cycle(passages, turn, 1).join("")}\n\n`;
  }
  return transcript(text, calls, dialect);
}

/** One call with one argument, source code of about `size` characters. */
function oneArgument(size: number, dialect: Dialect): Transcript {
  return transcript("", [write(0, size)], dialect);
}

function transcript(before: string, jsonCalls: ToolCall[], dialect: Dialect): Transcript {
  const calls = dialect === "json" ? jsonCalls : jsonCalls.map(lexical);
  const text = before + formatBlock(calls, dialect);
  return { dialect, text, blockStart: before.length, blockEnd: text.length - "</execute>".length, calls };
}

function write(number: number, length: number): ToolCall {
  return { name: "write", args: { file: `src/file-${number}.ts`, content: sourceCode(number, length) } };
}

function small(number: number): ToolCall {
  if (number % 3 === 0) return { name: "shell", args: { cmd: 'grep -rn "timeout" src | head -5' } };
  if (number % 3 === 1) return { name: "read", args: { file: `src/file-${number}.ts` } };
  return { name: "search", args: { pattern: "lease\\(", paths: ["src", "test"], limit: 20, regex: true } };
}

/** Lines of code, from some line on, which take about `length` characters as JSON. */
function sourceCode(seed: number, length: number): string {
  const lines: string[] = [];
  for (let i = seed, left = length; left > 0; i++) {
    const line = codeLines[i % codeLines.length] ?? "";
    lines.push(line);
    left -= JSON.stringify(line).length;
  }
  return lines.join("\n");
}

/** The block as models write it: one call a line, white space after colons and commas. */
function formatBlock(calls: readonly ToolCall[], dialect: Dialect): string {
  const lines = calls.map(({ name, args }) =>
    dialect === "json" ? spaced({ name, args }) : `<${name}>${xmlArguments(args)}</${name}>`,
  );
  return dialect === "json"
    ? `<execute>\n[\n${lines.join(",\n")}\n]\n</execute>`
    : `<execute>\n${lines.join("\n")}\n</execute>`;
}

function xmlArguments(args: ToolCall["args"]): string {
  const values = Object.entries(args).map(([name, value]) => {
    const text = String(value);
    return text.includes("\n") ? `<${name}>\n${text}\n</${name}>` : `<${name}>${text}</${name}>`;
  });
  return values.join("");
}

/** In the XML dialect values are strings on the wire. */
function lexical({ name, args }: ToolCall): ToolCall {
  const values = Object.entries(args).map(([key, value]) => [key, typeof value === "string" ? value : spaced(value)]);
  return { name, args: Object.fromEntries(values) as ToolCall["args"] };
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return `{${members.join(", ")}}`;
}

function cycle(items: readonly string[], from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => items[(from + i) % items.length] ?? "");
}
