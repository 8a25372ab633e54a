import { stripVTControlCharacters, styleText } from "node:util";
import type { RunEvent, ToolCall, ToolResult } from "@cogency/protocol";
import { tellingLines } from "@cogency/toolbox/shell";
import { columnsOf, counted, fitted, oneLine, revealed, visible, wordWrapped } from "../../base/terminal/text.ts";
import { pathText } from "../show/agent-paths.ts";
import { diffLines } from "../show/diff-lines.ts";
import type { AgentWork } from "./agent-work.ts";
import { callSummary } from "./call-summary.ts";
import { callText } from "./call-text.ts";
import { durationText, runningText, secondsSince } from "./duration-text.ts";
import { asideOf, laterOf, outputOf } from "./output-of.ts";

/** A call that runs. */
export interface RunningCall {
  readonly call: ToolCall;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  /** The end of what it has printed, or the address or words of its request. */
  progress: string;
  /** Of a call that has started an agent. */
  readonly work?: AgentWork | undefined;
}

/** Lines of output that are shown of a call. */
const mostRunning = 3;
const mostEnded = 6;

/** A call that the model is writing: its name, and the end of its arguments. */
export function writtenCallLine(name: string, text: string, columns: number, stream: NodeJS.WriteStream): string {
  const shown = oneLine(name, 64);
  const room = Math.max(8, columns - shown.length - 4);
  // JSON has no line breaks of its own; those in its strings are escapes.
  const end = text.length > room ? `…${revealed(text.slice(-room))}` : revealed(text);
  return `${styleText("cyan", "⋯", { stream })} ${styleText("bold", shown, { stream })} ${styleText("dim", oneLine(end, room), { stream })}`;
}

/** A call that runs: its arguments, the seconds, and the last lines that it printed, or what the agent does that it has started. */
export function runningCallLines(
  { call, startedAt, progress, work }: RunningCall,
  columns: number,
  stream: NodeJS.WriteStream,
): string[] {
  const dim = (text: string) => styleText("dim", text, { stream });
  const time = runningText(secondsSince(startedAt));
  const head = headOf("⋯", "cyan", call, columns - time.length - 2, stream);
  const lines = visible(stripVTControlCharacters(progress))
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "");
  return [
    `${head.text}  ${dim(time)}`,
    ...(work?.rows(columns - 4) ?? lines.slice(-mostRunning).map((line) => oneLine(line, columns - 4))).map((line) =>
      dim(`    ${line}`),
    ),
  ];
}

/**
 * A call that has ended: its arguments, what came of it, how long it took, what it changed, and the end of what it printed.
 *
 * @param path the agents in which it was
 * @param hint how all that it printed is shown
 */
export function endedCallLines(
  { name, args, started, outcome, result, duration }: RunEvent & { type: "tool_ended" },
  diffs: readonly string[],
  columns: number,
  stream: NodeJS.WriteStream,
  path: readonly string[] = [],
  hint = "",
): string[] {
  const dim = (text: string) => styleText("dim", text, { stream });
  const isDone = outcome === "success";
  const head = headOf(isDone ? "✓" : "✗", isDone ? "green" : "red", { name, args }, columns, stream, path);
  const outcomeText = [
    oneLine(callSummary(result), isDone ? Math.max(20, columns - 16) : 1000),
    ...(started ? [durationText(duration)] : []),
  ]
    .filter(Boolean)
    .join(" · ");
  const isShort = head.columns + 2 + columnsOf(outcomeText) <= columns;
  return [
    isShort ? `${head.text}  ${dim(outcomeText)}` : head.text,
    ...(isShort
      ? []
      : wordWrapped(outcomeText, columns - 4).map((line) => (isDone ? dim(`    ${line}`) : `    ${line}`))),
    ...asideLines(result, columns - 4).map((line) => dim(`    ${line}`)),
    ...laterLines(result, columns - 4).map((line) => styleText("yellow", `    ${line}`, { stream })),
    ...diffLines(diffs, Object.assign(Object.create(stream), { columns })),
    ...(name.startsWith("shell") ? printedLines(result, columns - 4, hint).map((line) => dim(`    ${line}`)) : []),
  ];
}

/** What a command that failed had made and programs would obey. */
function asideLines(result: ToolResult, width: number): string[] {
  const aside = asideOf(result);
  return aside === undefined ? [] : wordWrapped(revealed(`set aside what programs would obey: ${aside}`), width);
}

/** What a command changed that makes something run later. The line is whole: a person should see each of them. */
function laterLines(result: ToolResult, width: number): string[] {
  const later = laterOf(result);
  return later.length === 0 ? [] : wordWrapped(revealed(`changed what runs later: ${later.join("; ")}`), width);
}

/** The end of what a program printed, and of one that failed the lines that say what failed. */
function printedLines(result: ToolResult, width: number, hint: string): string[] {
  const output = outputOf(result);
  if (output === "") return [];
  const shown = result.status === "failure" ? tellingLines(output, mostEnded) : lastLines(output, mostEnded);
  const isCut = shown.some((line) => typeof line === "number");
  return shown.map((line, at) => {
    if (typeof line === "string") return fitted(visible(line), width);
    const rest = at === 0 && isCut ? ` before${hint}` : "";
    return `… ${counted(line, "line")}${rest}`;
  });
}

function lastLines(output: string, most: number): (string | number)[] {
  const lines = output.split("\n");
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  return hidden > 0 ? [hidden, ...lines.slice(hidden)] : lines;
}

function headOf(
  sign: string,
  style: "cyan" | "green" | "red",
  call: ToolCall,
  columns: number,
  stream: NodeJS.WriteStream,
  path: readonly string[] = [],
): { text: string; columns: number } {
  const name = pathText(path, call.name);
  const args = callText(call, Math.max(8, columns - name.length - 3));
  const text = `${styleText(style, sign, { stream })} ${styleText("bold", name, { stream })} ${args}`.trimEnd();
  return { text, columns: name.length + 3 + columnsOf(args) };
}
