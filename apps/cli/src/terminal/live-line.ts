import { stripVTControlCharacters, styleText } from "node:util";
import type { Json, ToolCall } from "@cogency/protocol";
import type { ToolEvent } from "@cogency/tools";
import { oneLine, within } from "./text.ts";

/** The line at the foot of a terminal that tells what long calls are about. */
export interface LiveLine {
  tool(event: ToolEvent): void;
  /** Takes the line away before something else is written; it comes back by itself. */
  clear(): void;
}

/**
 * Shows the calls that have run for more than half a second, at most ten times a second, wherever `isFree` says that
 * nothing else has the line. What is no terminal, or none that can go back in a line, is left alone.
 */
export function createLiveLine(stream: NodeJS.WriteStream, isFree: () => boolean): LiveLine {
  if (!stream.isTTY || process.env.TERM === "dumb") return { tool() {}, clear() {} };
  const running = new Map<string, RunningCall>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let drawn = "";

  const clear = () => {
    if (drawn !== "") stream.write(eraseLine);
    drawn = "";
  };
  const draw = () => {
    const line = isFree() ? lineOf([...running.values()], stream.columns) : "";
    if (line === drawn) return;
    clear();
    drawn = line;
    if (line !== "") stream.write(styleText("dim", line, { stream }));
  };

  return {
    clear,
    tool(event) {
      if (event.type === "started") {
        running.set(event.call.id, { call: event.call, startedAt: performance.now(), told: "" });
        timer ??= setInterval(draw, interval);
      } else if (event.type === "progress") {
        const call = running.get(event.call.id);
        if (call) call.told = told(event.update, call.told);
      } else if (event.type === "completed") {
        running.delete(event.execution.id);
        clear();
        if (running.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      }
    },
  };
}

interface RunningCall {
  call: ToolCall;
  startedAt: number;
  /** The end of what it has told. */
  told: string;
}

/** Milliseconds. */
const interval = 100;
const patience = 500;

const eraseLine = "\r\u001b[2K";

/** `⋯ shell 12 s  Compiling …`; empty when nothing takes long. */
function lineOf(running: readonly RunningCall[], columns: number): string {
  const now = performance.now();
  const long = running.filter(({ startedAt }) => now - startedAt > patience);
  const shown = long.findLast(({ told }) => told !== "") ?? long[0];
  if (!shown) return "";
  const seconds = Math.floor((now - shown.startedAt) / 1000);
  const others = running.length > 1 ? ` (and ${running.length - 1} more)` : "";
  const text = oneLine(lastLine(stripVTControlCharacters(shown.told)), columns);
  return within(`⋯ ${shown.call.name} ${seconds} s${others}  ${text}`.trimEnd(), columns - 1);
}

/** What a program prints is added up, since a line may come in pieces; else it is the address or the words asked for. */
function told(update: Json, before: string): string {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return before;
  const { text, url, query } = update;
  if (typeof text === "string") return (before + text).slice(-mostPrinted);
  return [url, query].find((value) => typeof value === "string") ?? before;
}

const mostPrinted = 4096;

function lastLine(text: string): string {
  return text.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
}
