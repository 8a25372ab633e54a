import type { RunEvent } from "@cogency/protocol";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { complain } from "../../base/errors/message-of.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { putLine } from "../../base/terminal/output.ts";
import { PlanTracker } from "../../person/plan/plan-tracker.ts";
import type { RunDisplay } from "../../person/show/run-display.ts";
import { inUnits } from "./in-units.ts";
import { runRecord } from "./run-record.ts";

/**
 * Prints the timeline of the run, a line of JSON an event, then one line for the run. Its error is on stderr, too. The pieces of an
 * answer that is an object are joined to whole units.
 */
export function jsonDisplay(kind: "text" | "object" = "text"): RunDisplay {
  const show = (event: RunEvent) => print(forPeople(event));
  const units = kind === "object" ? inUnits(show) : undefined;
  const plans = new PlanTracker();
  return {
    event(event) {
      plans.event(event);
      (units?.event ?? show)(event);
    },
    pause() {},
    resume() {},
    end(ended) {
      units?.end();
      const { error } = ended.result;
      if (error) complain(error);
      print(runRecord(ended, plans.plan));
    },
  };
}

/** Its messages in the words of the command line. Those of servers and of the host may quote a key. */
function forPeople(event: RunEvent): RunEvent {
  switch (event.type) {
    case "error":
      return { ...event, content: redacted(inPlainWords(event.content)) };
    case "request_retried":
    case "hook_violation":
      return { ...event, message: redacted(inPlainWords(event.message)) };
    case "approval_settled":
      return event.error === undefined ? event : { ...event, error: redacted(event.error) };
    case "run_ended": {
      const { error } = event;
      return error ? { ...event, error: { ...error, message: redacted(inPlainWords(error.message)) } } : event;
    }
    default:
      return event;
  }
}

function print(line: object): void {
  void putLine(line);
}
