import type { Json, JsonObject, ToolResult } from "@cogency/protocol";
import { mostTellingLine } from "./telling-lines.ts";

/**
 * Sums up a successful result for a person: `2 files: a.txt, b.txt` for `find`. A text is summed up by its size, `214 bytes`;
 * the result of a tool that is neither of this package nor `read_result` or `skill` is given as JSON.
 *
 * The words can hold text of files and web pages, of any length and on several lines: shorten and escape them for display.
 */
export function summarizeResult({ tool, content }: Pick<ToolResult, "tool" | "content">): string {
  if (typeof content === "string") return counted(Buffer.byteLength(content), "byte");
  const describe = Object.hasOwn(descriptions, tool) ? descriptions[tool] : undefined;
  const words = describe && isObject(content) ? describe(content).filter(Boolean) : [];
  return words.length > 0 ? words.join(", ") : JSON.stringify(content);
}

/**
 * Sums up a failed result for a person: its message without the name of the tool. For a command that failed, how it ended
 * and the line that tells most of what it printed: `exit code 2, no such file`.
 */
export function summarizeFailure({ tool, content }: Pick<ToolResult, "tool" | "content">): string {
  const message = typeof content === "string" ? content : JSON.stringify(content);
  const ending = tool === "shell" ? /^(?:exit code \d+|ended by SIG\w+)\n/.exec(message)?.[0].trim() : undefined;
  if (ending !== undefined)
    return [ending, mostTellingLine(message.slice(ending.length + 1))].filter(Boolean).join(", ");
  // Messages of the executor begin with the name of the tool, which is shown beside the summary.
  return message.startsWith(`${tool} `) ? message.slice(tool.length + 1) : message;
}

type Words = (string | undefined)[];

/** Another tool can have the same name, and a log can hold results of an older version: any member may be missing. */
const descriptions: Record<string, (content: JsonObject) => Words> = {
  read: (content) => [
    extent("lines", content),
    typeof content.mediaType === "string" ? content.mediaType : undefined,
    amount(content.bytes, "byte"),
  ],
  write: ({ bytes, created }) => [amount(bytes, "byte"), created === true ? "new" : undefined],
  edit: ({ replaced, lines }) => [amount(replaced, "place"), ranges(lines)],
  list: ({ entries, truncated }) => [named(entries, "entry", "entries"), amount(truncated, "more", "more")],
  find: ({ files, matches, truncated }) => [
    named(files, "file"),
    size(matches, "match", "matches"),
    truncated === true ? "perhaps more" : undefined,
  ],
  replace: ({ total, files, unlisted, dryRun }) => [
    amount(total, "place"),
    size(files, "file", "files", typeof unlisted === "number" ? unlisted : 0),
    dryRun === true ? "nothing written" : undefined,
  ],
  shell: ({ job, exitCode, stdout, stderr, setAside, runsLater }) => [
    typeof job === "string" ? `${job} in the background` : undefined,
    typeof exitCode === "number" ? `exit code ${exitCode}` : undefined,
    printed(stdout, stderr),
    Array.isArray(setAside) ? `set aside what programs would obey: ${setAside.join(", ")}` : undefined,
    Array.isArray(runsLater) ? `changed what runs later (${counted(runsLater.length, "file")})` : undefined,
  ],
  shell_output: jobWords,
  shell_stop: jobWords,
  scrape: ({ title, text, total }) => [
    typeof title === "string" ? JSON.stringify(title) : undefined,
    typeof text === "string" ? counted(text.length, "character") : undefined,
    typeof total === "number" ? `${total} in all` : undefined,
  ],
  search: ({ results }) => [size(results, "result")],
  recall: ({ found, passages }) => [size(found, "conversation"), size(passages, "passage")],
  skill: ({ instructions, text = instructions }) => [
    typeof text === "string" ? counted(Buffer.byteLength(text), "byte") : undefined,
  ],
  read_result: (content) => [extent("characters", content), size(content.matches, "match", "matches")],
};

/** `job_1 runs, 12 lines`, `job_1 ended with exit code 1` */
function jobWords({ job, state, exitCode, signal, matched, stdout, stderr }: JsonObject): Words {
  const ending =
    typeof exitCode === "number" ? ` with exit code ${exitCode}` : typeof signal === "string" ? ` by ${signal}` : "";
  return [
    `${job} ${state === "ended" ? `ended${ending}` : "runs"}`,
    typeof matched === "string" ? `found: ${matched}` : undefined,
    printed(stdout, stderr),
  ];
}

function isObject(content: Json): content is JsonObject {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function extent(unit: string, { from, to, total }: JsonObject): string | undefined {
  if (typeof from !== "number" || typeof to !== "number") return undefined;
  return `${unit} ${from} to ${to}${typeof total === "number" ? ` of ${total}` : ""}`;
}

function amount(value: Json | undefined, noun: string, plural?: string): string | undefined {
  return typeof value === "number" ? counted(value, noun, plural) : undefined;
}

function size(value: Json | undefined, noun: string, plural?: string, besides = 0): string | undefined {
  return Array.isArray(value) ? counted(value.length + besides, noun, plural) : undefined;
}

/** `2 files: a.txt, b.txt`; names at most 50. */
function named(value: Json | undefined, noun: string, plural?: string): string | undefined {
  const words = size(value, noun, plural);
  const names = Array.isArray(value) ? value.filter((name) => typeof name === "string").slice(0, 50) : [];
  return names.length > 0 ? `${words}: ${names.join(", ")}` : words;
}

/** `line 3`, `lines 3 to 5 and 9` */
function ranges(value: Json | undefined): string | undefined {
  const spans = Array.isArray(value) ? value.filter((span) => Array.isArray(span)) : [];
  const [first] = spans;
  if (!first) return undefined;
  const words = spans.slice(0, 5).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const isOneLine = spans.length === 1 && first[0] === first[1];
  return `${isOneLine ? "line" : "lines"} ${words.join(" and ")}${spans.length > 5 ? " …" : ""}`;
}

function printed(...streams: (Json | undefined)[]): string | undefined {
  const texts = streams.filter((text) => typeof text === "string");
  const lines = texts.reduce((sum, text) => sum + (text.trimEnd() === "" ? 0 : text.trimEnd().split("\n").length), 0);
  return lines > 0 ? counted(lines, "line") : undefined;
}

/** `1 step`, `2 steps` */
function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
