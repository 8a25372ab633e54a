import type { Json, LogEvent, ToolResult } from "@cogency/protocol";
import { defineTool } from "../define-tool.ts";
import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import { resultText } from "./truncated-result.ts";
import { isHighSurrogate, isLowSurrogate } from "./utf8-length.ts";

/**
 * Makes the tool `read_result`. It pages through the whole result of an earlier call, of which the model saw only head and
 * tail, and finds text in it. It reads the `finished` records of `context.state.events`. A page takes less than 64 KiB as
 * JSON, so that it is not shortened itself.
 */
export function readResultTool(): Tool<"read_result"> {
  return defineTool({
    name: "read_result",
    description:
      "Reads more of an earlier result that was shown in part. Gives a page from an offset, or finds text in it.",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "The id under which the whole result is kept" },
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
    execute({ id, from = 0, find }, { state: { events } }) {
      const text = resultText(resultOf(id, events).content);
      const total = text.length;
      if (from > total) {
        const message = `The result ${JSON.stringify(id)} ends at ${total}, before ${from}. Give a smaller \`from\`.`;
        throw new ToolError("offset_beyond_end", message, { from, total });
      }
      const start = isInsidePair(text, from) ? from - 1 : from;
      return find === undefined ? page(text, start) : matches(text, start, find);
    },
  });
}

const maxResultBytes = 64 * 1024;
const longestFind = 200;
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
