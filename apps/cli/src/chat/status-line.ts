import { counted, oneLine } from "../base/terminal/text.ts";
import { runningText } from "../person/turn/duration-text.ts";
import { fittedParts, type LinePart } from "../screen/fitted-parts.ts";
import type { ConversationState } from "./conversation/conversation.ts";
import type { UsageMeter } from "./conversation/usage-meter.ts";

export interface StatusState
  extends Pick<
    ConversationState,
    "turn" | "own" | "jobs" | "ports" | "agents" | "mode" | "think" | "model" | "window"
  > {
  /** Whether a question stands. */
  readonly isAsking: boolean;
  /** The folder, and its branch: `shop (main)`. */
  readonly place: string;
}

/**
 * What goes on, and what was used, on one line of at most so many columns. The numbers are the sums in the log.
 *
 * @param now by the clock of `performance.now()`
 */
export function statusLine(state: StatusState, usage: UsageMeter, columns: number, now: number): string {
  return fittedParts(statusParts(state, usage, now), columns);
}

/** In the order of the line. A part with a higher rank stays longer as the terminal gets narrower. */
function statusParts(
  { mode, think, model, window, place, jobs, ports, agents, ...state }: StatusState,
  usage: UsageMeter,
  now: number,
): LinePart[] {
  const isUsed = usage.input > 0;
  return [
    { rank: 7, ways: [workText(state, now)] },
    { rank: 6, ways: [`mode ${mode}`] },
    { rank: 4, ways: think === undefined ? [] : [`think ${think}`] },
    { rank: 6, ways: backgroundTexts(jobs, ports) },
    { rank: 6, ways: agentTexts(agents.length) },
    { rank: 3, ways: isUsed ? [usage.text(), usage.shortText()] : [] },
    { rank: 5, ways: isUsed ? [usage.contextText(window), usage.shareText(window)] : [] },
    { rank: 2, ways: [model, model.slice(model.indexOf(" ") + 1)] },
    { rank: 1, ways: [place] },
  ];
}

/** What runs in the background, and which of its ports this machine reaches. */
function backgroundTexts(jobs: number, ports: readonly number[]): string[] {
  if (jobs === 0 && ports.length === 0) return [];
  const running = jobs === 0 ? [] : [`${jobs} in the background`];
  const open = ports.length === 0 ? [] : [`open: ${ports.join(", ")}`];
  const texts = [...running, ...open].join(" · ");
  return [`${texts} · /jobs`, texts];
}

function agentTexts(count: number): string[] {
  if (count === 0) return [];
  const text = `${counted(count, "agent")} in the background`;
  return [`${text} · /agents`, text];
}

function workText({ isAsking, own, turn }: Pick<StatusState, "isAsking" | "own" | "turn">, now: number): string {
  if (isAsking) return "waits for you";
  if (own) return `running ${oneLine(own.line, 30)} ${seconds(own.startedAt, now)}`;
  if (!turn) return "ready";
  return turn.isCancelled ? "cancelling" : `working ${seconds(turn.startedAt, now)}`;
}

function seconds(startedAt: number, now: number): string {
  return runningText((now - startedAt) / 1000);
}
