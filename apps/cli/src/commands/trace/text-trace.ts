import type { ShownConversation } from "@cogency/page";
import {
  cost,
  counted,
  duration,
  grouped,
  percent,
  type RunTimes,
  type TimeRow,
  totalsOf,
  waterfall,
} from "@cogency/page";
import { planOf, planText } from "@cogency/plan/log";
import { fitted, oneLine, padded, wordWrapped } from "../../base/terminal/text.ts";
import { pathText } from "../../person/show/agent-paths.ts";

/**
 * The steps and calls of each run on an axis of time, in lines of at most so many columns, what they used, and how far the plan is; then the same of each
 * agent that a call has started.
 */
export function textTrace(
  conversation: ShownConversation,
  columns: number,
  agents: readonly ShownConversation[] = [],
): string[] {
  const plan = planOf(conversation.events);
  const far = plan && plan.steps.length > 0 ? [oneLine(`plan ${planText(plan)}`, columns)] : [];
  return [
    ...wordWrapped(usageOf(conversation), columns),
    ...far,
    ...runsOf(conversation, columns),
    ...agents.flatMap((agent) => [
      "",
      ...wordWrapped(`Agent ${pathText(agent.caller?.agents ?? [])} · ${usageOf(agent)}`, columns),
      ...runsOf(agent, columns),
    ]),
    "",
    ...wordWrapped(legend, columns),
  ];
}

function runsOf(conversation: ShownConversation, columns: number): string[] {
  const runs = waterfall(conversation).filter(({ rows }) => rows.length > 0);
  return runs.flatMap((run, i) => ["", `Run ${i + 1}, ${duration(run.duration)}`, ...rowsOf(run, columns)]);
}

const signs = { asked: "░", written: "▓", waited: "·", ran: "█" } as const;

const legend = `${signs.asked} asked, ${signs.written} written, ${signs.waited} waited, ${signs.ran} ran, ✗ failed`;

function usageOf(conversation: ShownConversation): string {
  const totals = totalsOf(conversation);
  const { steps, calls, failed, input, cacheRead, cacheWrite, output, isEstimated } = totals;
  const sent = input + cacheRead + cacheWrite;
  const about = isEstimated ? "≈ " : "";
  return [
    counted(steps, "step"),
    counted(calls, "call") + (failed > 0 ? ` (${failed} failed)` : ""),
    `${about}${grouped(sent)} tokens in (${percent(cacheRead, sent)} cached), ${about}${grouped(output)} out`,
    totals.cost !== undefined && `cost ${cost(totals.cost)}`,
    duration(totals.duration),
  ]
    .filter((part) => part !== false)
    .join(" · ");
}

function rowsOf({ rows, duration: whole }: RunTimes, columns: number): string[] {
  const label = Math.min(labelColumns, Math.floor(columns / 3));
  const track = Math.max(10, columns - label - timeColumns - 4);
  return rows.map((row) => {
    const { kind, from, to, ran, isOpen, isFailed } = row;
    const name = fitted(`${kind === "call" ? "  " : ""}${oneLine(row.label, label)}`, label);
    const took = isOpen ? "…" : duration(to - (ran ?? from));
    return `${padded(name, label)} ${barOf(row, whole, track)} ${took.padStart(timeColumns)}${isFailed ? " ✗" : ""}`;
  });
}

const labelColumns = 28;
const timeColumns = 10;

function barOf({ kind, from, to, first, ran }: TimeRow, whole: number, width: number): string {
  const at = (time: number) => Math.min(width - 1, Math.floor((time / whole) * width));
  const change = kind === "step" ? (first ?? to) : (ran ?? to);
  const hasBegun = kind === "step" ? first !== undefined : ran !== undefined;
  const [before, after] = kind === "step" ? [signs.asked, signs.written] : [signs.waited, signs.ran];
  const cells = Array.from({ length: width }, (_, cell) => {
    if (cell < at(from) || cell > at(to)) return " ";
    return hasBegun && cell >= at(change) ? after : before;
  });
  return cells.join("");
}
