import type { RunError } from "@cogency/agent";
import type { Plan } from "@cogency/plan/log";
import { isProviderError } from "@cogency/provider";
import { isStoreError } from "@cogency/storage";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { causeOf, messageOf } from "../../base/errors/message-of.ts";
import { redacted } from "../../base/errors/redacted.ts";
import type { EndedRun } from "../../person/show/run-display.ts";

/** How a run ended, as JSON has it: the last line of `--json`, and all that `--output json` prints. */
export function runRecord({ result, conversation, exit }: EndedRun, plan?: Plan): object {
  const { text, object, steps, toolErrors, unknown, usage, cost, stop, waiting, error } = result;
  // The agent calls a turn `completed` when its answer was cut off; for the user such a run has stopped.
  const status = result.status === "completed" && exit !== 0 ? "stopped" : result.status;
  return {
    type: "run",
    status,
    text,
    ...(object !== undefined && { object }),
    steps,
    ...(plan && { plan: { ...plan } }),
    toolErrors,
    ...(unknown && { unknown }),
    usage,
    ...(cost !== undefined && { cost }),
    ...(stop && { stop: { ...stop, message: inPlainWords(stop.message) } }),
    ...(waiting && { waiting }),
    ...(error && { error: errorRecord(error) }),
    conversation,
    exit,
  };
}

/** `cause` is the code of the provider's or the store's own error. */
function errorRecord(error: RunError) {
  const cause = causeOf(error, isProviderError) ?? causeOf(error, isStoreError);
  return { code: error.code, ...(cause && { cause: cause.code }), message: redacted(messageOf(error)) };
}
