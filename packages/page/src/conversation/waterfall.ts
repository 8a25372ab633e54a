import type { ShownConversation } from "./shown-conversation.ts";
import type { Step } from "./step.ts";
import { modelOf } from "./totals.ts";

/** The steps of one run and their calls on one axis of time. */
export interface RunTimes {
  run: number;
  /** Unix time in seconds. */
  begun: number;
  /** Seconds. */
  duration: number;
  rows: readonly TimeRow[];
}

/** A bar. Times are seconds after the beginning of the run. */
export interface TimeRow {
  kind: "step" | "call";
  /** The number of the event that it leads to. */
  seq: number;
  label: string;
  from: number;
  to: number;
  /** When the answer of a step began. */
  first?: number;
  /** When a call began to run; before that, it waited for a person or for another call. */
  ran?: number;
  isOpen: boolean;
  isFailed: boolean;
}

/** The times of each run of a conversation, in order. */
export function waterfall(conversation: ShownConversation): RunTimes[] {
  const runs = Map.groupBy(conversation.steps(), ({ run }) => run);
  return [...runs].map(([run, steps]) => {
    const begun = Math.min(...steps.map((step) => step.begun));
    const rows = steps.flatMap((step) => rowsOf(step, conversation, begun));
    return { run, begun, duration: Math.max(0.001, ...rows.map(({ to }) => to)), rows };
  });
}

function rowsOf(step: Step, { callTimes }: ShownConversation, begun: number): TimeRow[] {
  const { first, ended, entries, number, seq, lastWritten, refused } = step;
  const calls = entries.filter(({ shown }) => shown.type === "call");
  // What a model writes after its last unit began is known only where no call follows.
  const written = calls.length > 0 ? (lastWritten ?? step.begun) : (ended ?? lastWritten ?? step.begun);
  const after = (time: number) => Math.max(0, time - begun);
  const rows: TimeRow[] = [
    {
      kind: "step",
      seq,
      label: `${number} ${modelOf(step)}`,
      from: after(step.begun),
      to: Math.max(after(step.begun), after(written)),
      ...(first !== undefined && { first: after(first) }),
      isOpen: ended === undefined,
      isFailed: refused !== undefined,
    },
  ];
  for (const { seq, shown, time } of calls) {
    if (shown.type !== "call") continue;
    const { begun: ran, ended: over } = callTimes.get(shown.id ?? "") ?? {};
    const to = over ?? (shown.open ? undefined : (ran ?? time));
    rows.push({
      kind: "call",
      seq,
      label: shown.name,
      from: after(time),
      to: after(Math.max(time, to ?? ran ?? time)),
      ...(ran !== undefined && { ran: after(ran) }),
      isOpen: to === undefined,
      isFailed: shown.outcome !== undefined && shown.outcome !== "success",
    });
  }
  return rows;
}
