import type { RunError } from "@cogency/agent";
import { ProviderError } from "@cogency/provider";
import { StoreError } from "@cogency/storage";
import { causeOf } from "../../errors/cause-of.ts";
import { complain } from "../../errors/complain.ts";
import { messageOf } from "../../errors/message-of.ts";
import { redacted } from "../../errors/redacted.ts";
import type { Report } from "../../show/report.ts";
import { putLine } from "../../terminal/output.ts";

/** One line of JSON an event, and one for the run as the last. Only what ended the run badly is on stderr, too. */
export function jsonReport(): Report {
  return {
    event(event) {
      print(event.type === "error" ? { ...event, content: redacted(event.content) } : event);
    },
    tool() {},
    pause() {},
    resume() {},
    over({ result, conversation, exit }) {
      const { text, steps, toolErrors, usage, cost, stop, error } = result;
      // An answer that was cut off is `completed` for the agent, whose turn it ended, and not for who wanted the answer.
      const status = result.status === "completed" && exit !== 0 ? "stopped" : result.status;
      if (error) complain(error);
      print({
        type: "run",
        status,
        text,
        steps,
        toolErrors,
        usage,
        ...(cost !== undefined && { cost }),
        ...(stop && { stop }),
        ...(error && { error: errorRecord(error) }),
        conversation,
        exit,
      });
    },
  };
}

function print(line: object): void {
  void putLine(line);
}

/** `cause` is the code of the provider's or the store's own error. */
function errorRecord(error: RunError) {
  const cause = causeOf(error, ProviderError) ?? causeOf(error, StoreError);
  return { code: error.code, ...(cause && { cause: cause.code }), message: redacted(messageOf(error)) };
}
