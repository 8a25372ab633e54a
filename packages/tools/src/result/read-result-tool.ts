import type { Json, LogEvent, ToolResult } from "@cogency/protocol";
import { checkOptions, having } from "@cogency/protocol/options";
import { defineTool } from "../define-tool.ts";
import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import type { KeptParts } from "./kept-parts.ts";
import { resultText } from "./truncated-result.ts";
import { isHighSurrogate, isLowSurrogate } from "./utf8-length.ts";

export interface ReadResultOptions {
  /** Where tools keep what is too long for the log, such as `openKeptParts` of `@cogency/toolbox/shell`. */
  parts?: KeptParts | undefined;
}

/**
 * Makes the tool `read_result`. It pages through the whole result of an earlier call, of which the model saw only head and
 * tail, and finds text in it. It reads the `finished` records of `context.state.events`, and with `parts` also what tools have kept
 * outside of the log. A page takes less than 64 KiB as JSON, so that it is not shortened itself.
 */
export function readResultTool(options: ReadResultOptions = {}): Tool<"read_result"> {
  const parts = having("a keeper of parts", "keep", "read");
  checkOptions<ReadResultOptions>("readResultTool", options, { parts });
  return reading(options);
}

function reading({ parts }: ReadResultOptions): Tool<"read_result"> {
  return defineTool({
    name: "read_result",
    description:
      "Reads more of an earlier result that was shown in part. Gives a page from an offset, or finds text in it.",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "The id under which the whole result is kept" },
        ...(parts && {
          part: {
            type: "string",
            maxLength: longestPart,
            description: "The part of the result that was cut, such as stdout; the result as it was shown when absent",
          },
        }),
        from: { type: "integer", minimum: 0, description: "Character offset to begin at; 0 when absent" },
        find: {
          type: "string",
          minLength: 1,
          maxLength: longestFind,
          description: "Exact text to find from there on, instead of a page",
        },
      },
      required: ["id"],
    },
    annotations: { readOnlyHint: true, idempotentHint: true },
    // Its own limit, so that pages stay whole if the host sets a smaller one for other tools.
    maxResultBytes,
    async execute({ id, part, from = 0, find }, { state: { events }, conversation, user }) {
      const result = resultOf(id, events);
      const kept =
        typeof part === "string" ? await parts?.read({ conversation, user, id, part }) : resultText(result.content);
      if (kept === undefined) throw notKept(id, String(part));
      const total = kept.length;
      if (from > total) {
        const message = `The result ${JSON.stringify(id)} ends at ${total}, before ${from}. Give a smaller \`from\`.`;
        throw new ToolError("offset_beyond_end", message, { from, total });
      }
      const start = isInsidePair(kept, from) ? from - 1 : from;
      return find === undefined ? page(kept, start) : matches(kept, start, find);
    },
  });
}

const maxResultBytes = 64 * 1024;
const longestFind = 200;
const longestPart = 40;
const pageCharacters = 16_000;
/** Of the page as it stands in JSON, where a control character takes six. Leaves room for escaped markers. */
const pageBytes = 48_000;
const mostMatches = 20;
const surroundings = 100;
const listedResults = 10;

function resultOf(id: string, events: readonly LogEvent[]): ToolResult {
  const latest: { id: string; tool: string }[] = [];
  for (const event of events.toReversed()) {
    if (event.type !== "record" || event.kind !== "finished") continue;
    const { result, id: finished } = event.data ?? {};
    // A log from elsewhere may hold records without data.
    if (finished === undefined || result?.content === undefined) continue;
    if (finished === id) return result;
    if (latest.length < listedResults) latest.push({ id: finished, tool: result.tool });
  }
  const known = latest.map((result) => `${result.id} (${result.tool})`).join(", ");
  const advice = known === "" ? "This conversation has no results yet." : `The latest are: ${known}.`;
  throw new ToolError(
    "unknown_result",
    `There is no result under the id ${JSON.stringify(id.slice(0, 60))}. ${advice}`,
    { id },
  );
}

function notKept(id: string, part: string): ToolError<"unknown_result"> {
  const which = `${JSON.stringify(part)} of the result ${JSON.stringify(id)}`;
  const message = `Nothing more is kept of ${which} than the result shows: leave \`part\` out, or run what printed it again.`;
  return new ToolError("unknown_result", message, { id });
}

function page(text: string, from: number): Json {
  const to = pageEnd(text, from);
  const whole = { text: text.slice(from, to), from, to, total: text.length };
  return to < text.length ? { ...whole, next: to } : whole;
}

function pageEnd(text: string, from: number): number {
  const furthest = Math.min(text.length, from + pageCharacters);
  let end = from;
  for (let bytes = 0; end < furthest; end++) {
    bytes += jsonSize(text.charCodeAt(end));
    if (bytes > pageBytes) break;
  }
  return isInsidePair(text, end) ? end - 1 : end;
}

/** The most bytes that a UTF-16 unit takes inside a JSON string. */
function jsonSize(unit: number): number {
  if (unit < 0x20) return 6;
  if (unit === 0x22 || unit === 0x5c) return 2;
  return unit < 0x80 ? 1 : 3;
}

function matches(text: string, from: number, find: string): Json {
  const found: Json[] = [];
  let total = 0;
  let next: number | undefined;
  for (let at = text.indexOf(find, from); at >= 0; at = text.indexOf(find, at + find.length)) {
    total += 1;
    if (found.length < mostMatches) found.push({ at, text: excerpt(text, at, at + find.length) });
    else next ??= at;
  }
  return { matches: found, total, ...(next !== undefined && { next }) };
}

function excerpt(text: string, at: number, end: number): string {
  const start = Math.max(0, at - surroundings);
  const stop = Math.min(text.length, end + surroundings);
  return text.slice(isInsidePair(text, start) ? start - 1 : start, isInsidePair(text, stop) ? stop + 1 : stop);
}

function isInsidePair(text: string, index: number): boolean {
  return isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1));
}
