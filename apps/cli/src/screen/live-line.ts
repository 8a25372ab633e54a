import { stripVTControlCharacters, styleText } from "node:util";
import { progressAfter } from "@cogency/page";
import type { RunEvent } from "@cogency/protocol";
import { oneLine, widthOr, within } from "../base/terminal/text.ts";

/** The last line of a terminal, which shows the progress of long calls. */
export interface LiveLine {
  /** Follows the calls of a run; other events are ignored. */
  event(event: RunEvent): void;
  /** Erases the line before other output; it is drawn again later. */
  clear(): void;
}

/**
 * Shows the calls that have run for more than half a second. Draws at most ten times a second, and only while `isFree`
 * returns true. Writes nothing to a stream that is not a terminal, or to a terminal that cannot erase a line.
 */
export function createLiveLine(stream: NodeJS.WriteStream, isFree: () => boolean): LiveLine {
  if (!stream.isTTY || process.env.TERM === "dumb") return { event() {}, clear() {} };
  const running = new Map<string, RunningCall>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let drawn = "";

  const clear = () => {
    if (drawn !== "") stream.write(eraseLine);
    drawn = "";
  };
  const draw = () => {
    const line = isFree() ? lineOf([...running.values()], widthOr(stream, 80)) : "";
    if (line === drawn) return;
    clear();
    drawn = line;
    if (line !== "") stream.write(styleText("dim", line, { stream }));
  };

  return {
    clear,
    event(event) {
      if (event.type === "tool_started") {
        running.set(event.id, { name: event.name, startedAt: performance.now(), progress: "" });
        timer ??= setInterval(draw, interval);
      } else if (event.type === "tool_progress") {
        const call = running.get(event.id);
        if (call) call.progress = progressAfter(event.update, call.progress);
      } else if (event.type === "subagent") {
        const call = running.get(event.id);
        const inner = lastOf(event.event);
        if (call && inner.type === "tool_started") call.progress = inner.name;
      } else if (event.type === "tool_ended") {
        running.delete(event.id);
        clear();
        if (running.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      }
    },
  };
}

/** The event of the innermost agent. */
function lastOf(event: RunEvent): RunEvent {
  return event.type === "subagent" ? lastOf(event.event) : event;
}

interface RunningCall {
  name: string;
  startedAt: number;
  /** The end of its output, or the address or words of its request. */
  progress: string;
}

/** Milliseconds. */
const interval = 100;
const patience = 500;

const eraseLine = "\r\u001b[2K";

/** `⋯ shell 12 s  Compiling …`; empty when nothing takes long. */
function lineOf(running: readonly RunningCall[], columns: number): string {
  const now = performance.now();
  const long = running.filter(({ startedAt }) => now - startedAt > patience);
  const shown = long.findLast(({ progress }) => progress !== "") ?? long[0];
  if (!shown) return "";
  const seconds = Math.floor((now - shown.startedAt) / 1000);
  const others = running.length > 1 ? ` (and ${running.length - 1} more)` : "";
  const text = oneLine(lastLine(stripVTControlCharacters(shown.progress)), columns);
  return within(`⋯ ${shown.name} ${seconds} s${others}  ${text}`.trimEnd(), columns - 1);
}

function lastLine(text: string): string {
  return text.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
}
