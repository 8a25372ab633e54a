import type { LogEvent } from "@cogency/protocol";
import { plansOf } from "./plans-of.ts";

/** What the model reads when it is to plan. */
export const startText =
  "Plan mode is on: look, and change nothing. Ask the user where something is unclear. Then present a plan with present_plan.";

/** What the model reads when it need not plan any longer, and no plan was accepted. */
export const stopText = "Plan mode is off: from now on a change needs no accepted plan.";

/** Whether the model knows that it is to plan: it was told so, and requests still show that. */
export function planningSince(log: readonly LogEvent[]): boolean {
  const at = log.findLastIndex(isTold);
  const told = log[at];
  if (told?.type !== "user" || told.content !== startText) return false;
  const { accepted } = plansOf(log);
  const hasEnded = accepted !== undefined && accepted.problem === undefined && accepted.at > at;
  return !hasEnded && at >= shownFrom(log);
}

function isTold(event: LogEvent): boolean {
  return (
    event.type === "user" && event.origin === "notice" && (event.content === startText || event.content === stopText)
  );
}

/** How many events a summary stands for. */
function shownFrom(log: readonly LogEvent[]): number {
  const last = log.findLast((event) => event.type === "record" && event.kind === "summary");
  const { upTo } = (last?.type === "record" && last.kind === "summary" ? (last.data ?? {}) : {}) as { upTo?: unknown };
  return typeof upTo === "number" ? upTo : 0;
}
