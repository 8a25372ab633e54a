import { styleText } from "node:util";
import { touched } from "@cogency/page";
import type { Json, JsonObject, ToolCall } from "@cogency/protocol";
import { exact, exactLinePieces, exactPieces, rowsOf } from "../../base/terminal/exact-text.ts";
import { counted } from "../../base/terminal/text.ts";
import type { Doubt } from "../../place/definitions/known-definitions.ts";
import { factsOf } from "./call-facts.ts";
import { type NamedTool, serverSentences } from "./server-call.ts";

/** The parts of a question, as in an `ApprovalRequest`. */
export interface Asked {
  call: ToolCall;
  /** The names of the agents in which the call is, the outermost first; empty for the agent that the person speaks to. */
  agents?: readonly string[] | undefined;
  concerns: readonly { why: string }[];
  touches: readonly string[];
  tool?: NamedTool | undefined;
  /** Where the server of the tool is from; see `serverSentences`. */
  place?: string | undefined;
  doubt?: Doubt | undefined;
}

/**
 * Writes a call as the question shows it, complete, in rows of at most so many columns: the tool, the resolved paths that it
 * touches, every argument, what a script does, hosts in the form that is requested, and what speaks against the call. The values can be read
 * back from the rows. `bar` stands before each line of a value of several lines.
 */
export function questionRows(
  { call, agents = [], concerns, touches, tool, place, doubt }: Asked,
  columns: number,
  stream: NodeJS.WriteStream,
  bar = "│ ",
): string[] {
  const width = Math.max(narrowest, columns - 1);
  const where = call.name === "shell" && call.args.background === true ? " in the background" : "";
  const { changes, rest } = changesOf(call.name, call.args);
  const places = touched(touches);
  const fields = [
    ...places.map((text): Field => ["touches", text]),
    ...Object.entries(rest).map(
      ([name, value]): Field => [name, typeof value === "string" ? value : JSON.stringify(value)],
    ),
    ...factsOf(call).map(({ name, lines }): Field => [name, lines.join("\n")]),
  ];
  // Short values come before those of several lines.
  const ordered = [...fields.filter(([, text]) => !isLong(text)), ...fields.filter(([, text]) => isLong(text))];
  const what =
    Object.keys(call.args).length === 0 ? `wants to run${where}, without arguments` : `wants to run${where} with`;
  const indented = fieldRows(ordered, width - 2, stream, bar).map((row) => `  ${row}`);
  return [
    ...rowsOf([...exactPieces([...agents, call.name].join(" › ")), ...` ${what}`], width).map((row) =>
      styleText("bold", row, { stream }),
    ),
    ...(tool ? serverSentences(tool, place) : []).flatMap((sentence) => rowsOf(exactPieces(sentence), width)),
    ...indented,
    ...changes.flatMap((change, index) => {
      const head = rowsOf(exactPieces(headOf(change, index, changes.length, places)), width - 2);
      return [...head.map((row) => styleText("dim", `@ ${row}`, { stream })), ...changeRows(change, width, stream)];
    }),
    ...(doubt?.lines ?? []).flatMap((line) => differenceRows(line, width, stream)),
    ...[...(doubt ? [doubt] : []), ...concerns].flatMap(({ why }) =>
      rowsOf(exactPieces(why), width - 2).map((row, index) =>
        styleText("yellow", `${index === 0 ? "!" : " "} ${row}`, { stream }),
      ),
    ),
  ];
}

type Field = readonly [name: string, text: string];

/** The least width of a row. A narrower terminal breaks the rows itself. */
const narrowest = 16;

interface Change {
  old: string;
  new: string;
  all?: boolean;
}

/** The changes that a call asks for, and its other arguments. */
function changesOf(tool: string, args: JsonObject): { changes: readonly Change[]; rest: JsonObject } {
  if (tool === "edit" && Array.isArray(args.edits) && args.edits.every(isChange)) {
    const { edits, ...rest } = args;
    return { changes: args.edits as unknown as Change[], rest };
  }
  if (tool === "replace" && typeof args.find === "string" && typeof args.with === "string") {
    const { find, with: replacement, ...rest } = args;
    return { changes: [{ old: args.find, new: args.with }], rest };
  }
  return { changes: [], rest: args };
}

/** Whether an edit has only known members; any other edit is shown as JSON. */
function isChange(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { old, new: replacement, all, ...others } = value;
  const isKnown = typeof old === "string" && typeof replacement === "string" && Object.keys(others).length === 0;
  return isKnown && (all === undefined || typeof all === "boolean");
}

/** The head of a change. Each names the file, because the row that names it may be on an earlier page. */
function headOf({ all }: Change, index: number, count: number, places: readonly string[]): string {
  const which = count > 1 ? [`${index + 1} of ${counted(count, "edit")}`] : [];
  return [...which, ...(all ? ["everywhere"] : []), ...places].join(", ");
}

/** A line of a difference, which begins with its sign. */
function differenceRows(line: string, width: number, stream: NodeJS.WriteStream): string[] {
  const rows = lineRows(line.slice(2), line.slice(0, 2), width);
  if (line.startsWith(" ")) return rows;
  const style = line.startsWith("-") ? "red" : line.startsWith("+") ? "green" : "dim";
  return rows.map((row) => styleText(style, row, { stream }));
}

function changeRows(change: Change, width: number, stream: NodeJS.WriteStream): string[] {
  return [
    ...lineRows(change.old, "- ", width).map((row) => styleText("red", row, { stream })),
    ...(change.new === "" ? [] : lineRows(change.new, "+ ", width).map((row) => styleText("green", row, { stream }))),
  ];
}

/** Puts a sign before each line of a text. A line that takes several rows has the sign on the first only. */
function lineRows(text: string, sign: string, width: number): string[] {
  return text
    .split("\n")
    .flatMap((line) =>
      rowsOf(exactLinePieces(line), width - sign.length).map(
        (row, index) => (index === 0 ? sign : " ".repeat(sign.length)) + row,
      ),
    );
}

/** Puts names on the left and values on the right, or each on rows of its own if there is no room for both. */
function fieldRows(fields: readonly Field[], width: number, stream: NodeJS.WriteStream, bar: string): string[] {
  const names = fields.map(([name]) => exact(name));
  const margin = Math.max(0, ...names.map((name) => (name.length <= longestName ? name.length : 0)));
  const isBeside = width - margin >= leastRoom;
  return fields.flatMap(([, text], index) => {
    const name = names[index] ?? "";
    const isOwn = !isBeside || name.length > longestName;
    const rows = valueRows(text, width - (isBeside ? margin : 0), bar);
    const dim = (label: string) => styleText("dim", label, { stream });
    if (isOwn)
      return [
        ...rowsOf(exactPieces(fields[index]?.[0] ?? ""), width).map(dim),
        ...rows.map((row) => (isBeside ? " ".repeat(margin) : "") + row),
      ];
    return rows.map((row, at) => dim((at === 0 ? name : "").padEnd(margin)) + row);
  });
}

const longestName = 20;
const leastRoom = 24;

/** Indents a single line by two, and begins each of several lines with a bar. */
function valueRows(text: string, width: number, bar: string): string[] {
  return isLong(text) ? lineRows(text, bar, width - 1) : rowsOf(exactPieces(text), width - 2).map((row) => `  ${row}`);
}

function isLong(text: string): boolean {
  return text.includes("\n");
}
