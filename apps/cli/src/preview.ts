import { styleText } from "node:util";
import type { Json, JsonObject, ToolCall } from "@cogency/protocol";
import { cut, excerpt, oneLine, wrapped } from "./text.ts";

/**
 * What a call is about to do, in lines: its arguments, long ones by their beginnings; commands and addresses in full;
 * and what it takes out and puts in with `-` and `+`.
 */
export function preview({ name, args }: ToolCall, stream: NodeJS.WriteStream): string[] {
  const { changes, rest } = changesOf(name, args);
  const width = (stream.columns ?? 100) - 2;
  const changed = changes.flatMap((change, index) => [
    ...(index > 0 ? [styleText("dim", "…", { stream })] : []),
    ...signed("-", change.old, "red", width, stream),
    ...signed("+", change.new, "green", width, stream),
  ]);
  return [...rows(rest, inFull[name], width, stream), ...cut(changed, mostChangedLines)];
}

/** The argument by which a person judges these calls: the end of it matters as much as the beginning. */
const inFull: Record<string, string> = { shell: "command", scrape: "url" };

const mostLines = 12;
const mostChangedLines = 60;

interface Change {
  old: string;
  new: string;
}

/** The changes that a call asks for, and the arguments that tell something else. */
function changesOf(tool: string, args: JsonObject): { changes: readonly Change[]; rest: JsonObject } {
  if (tool === "edit" && Array.isArray(args.edits) && args.edits.every(isChange)) {
    const { edits, ...rest } = args;
    const everywhere = args.edits.filter(({ all }) => all === true).length;
    return {
      changes: args.edits,
      rest: { ...rest, ...(everywhere > 0 && { everywhere: `${everywhere} of the edits` }) },
    };
  }
  if (tool === "replace" && typeof args.find === "string" && typeof args.with === "string") {
    const { find, with: replacement, ...rest } = args;
    return { changes: [{ old: find as string, new: replacement as string }], rest };
  }
  return { changes: [], rest: args };
}

function isChange(value: Json): value is { old: string; new: string; all?: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return typeof value.old === "string" && typeof value.new === "string";
}

function rows(args: JsonObject, full: string | undefined, width: number, stream: NodeJS.WriteStream): string[] {
  const label = Math.max(0, ...Object.keys(args).map((key) => Math.min(longestKey, key.length)));
  const room = Math.max(20, width - label - 2);
  return Object.entries(args).flatMap(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return (key === full ? wrapped(text, room) : excerpt(text, mostLines, room)).map((line, index) => {
      const name = index === 0 ? oneLine(key, longestKey) : "";
      return `${styleText("dim", name.padEnd(label), { stream })}  ${line}`;
    });
  });
}

const longestKey = 20;

function signed(
  sign: string,
  text: string,
  colour: "red" | "green",
  width: number,
  stream: NodeJS.WriteStream,
): string[] {
  if (text === "") return [];
  return excerpt(text, mostLines, Math.max(20, width - 2)).map((line) =>
    styleText(colour, `${sign} ${line}`, { stream }),
  );
}
