import { fitted, oneLine } from "../base/terminal/text.ts";
import type { ConversationState } from "./conversation/conversation.ts";
import type { UsageMeter } from "./conversation/usage-meter.ts";
import { runningText } from "./turn/duration-text.ts";

export interface StatusState
  extends Pick<ConversationState, "turn" | "own" | "jobs" | "ports" | "mode" | "model" | "window"> {
  /** Whether a question stands. */
  readonly isAsking: boolean;
}

/**
 * What goes on, and what was used, on one line of at most so many columns, which has the less the narrower it is. The numbers are the
 * sums in the log.
 *
 * @param now by the clock of `performance.now()`
 */
export function statusLine(state: StatusState, usage: UsageMeter, columns: number, now: number): string {
  const work = [
    workText(state, now),
    `mode ${state.mode}`,
    ...(state.jobs > 0 ? [`${state.jobs} in the background`] : []),
    ...(state.ports.length > 0 ? [`open: ${state.ports.join(", ")}`] : []),
    ...(state.jobs > 0 || state.ports.length > 0 ? ["/jobs"] : []),
  ];
  const model = state.model === "" ? [] : [state.model];
  const [tokens, context, left] = [usage.text(), usage.contextText(state.window), usage.leftText(state.window)];
  const used = usage.input === 0 ? [model] : [[tokens, context, ...model], [tokens, context], [tokens, left], [left]];
  const lines = used.map((parts) => [...work, ...parts].join(" · "));
  return lines.find((line) => line.length <= columns) ?? fitted(work.join(" · "), columns);
}

function workText({ isAsking, own, turn }: StatusState, now: number): string {
  if (isAsking) return "waits for you";
  if (own) return `running ${oneLine(own.line, 30)} ${seconds(own.startedAt, now)}`;
  if (!turn) return "ready";
  return turn.isCancelled ? "cancelling" : `working ${seconds(turn.startedAt, now)}`;
}

function seconds(startedAt: number, now: number): string {
  return runningText((now - startedAt) / 1000);
}
