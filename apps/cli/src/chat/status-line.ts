import { fitted, oneLine } from "../terminal/text.ts";
import type { ConversationState } from "./conversation/conversation.ts";
import type { UsageMeter } from "./conversation/usage-meter.ts";
import { runningText } from "./turn/duration-text.ts";

/**
 * What goes on, and what was used, on one line of at most so many columns. The numbers are the sums in the log.
 *
 * @param now by the clock of `performance.now()`
 */
export function statusLine(state: ConversationState, usage: UsageMeter, columns: number, now: number): string {
  const mode = state.mode === "ask" ? [] : [`mode ${state.mode}`];
  const used = usage.input === 0 ? [] : [usage.text(), usage.contextText(state.window)];
  const model = state.model === "" ? [] : [state.model];
  const whole = [workText(state, now), ...mode, ...used, ...model].join(" · ");
  return whole.length <= columns ? whole : fitted([workText(state, now), ...mode, ...used].join(" · "), columns);
}

function workText({ own, turn }: ConversationState, now: number): string {
  if (own) return `running ${oneLine(own.line, 30)} ${seconds(own.startedAt, now)}`;
  if (!turn) return "ready";
  return turn.isCancelled ? "cancelling" : `working ${seconds(turn.startedAt, now)}`;
}

function seconds(startedAt: number, now: number): string {
  return runningText((now - startedAt) / 1000);
}
