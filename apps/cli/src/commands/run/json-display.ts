import type { RunError } from "@cogency/agent";
import { ProviderError } from "@cogency/provider";
import { StoreError } from "@cogency/storage";
import { causeOf } from "../../errors/cause-of.ts";
import { complain } from "../../errors/complain.ts";
import { messageOf } from "../../errors/message-of.ts";
import { redacted } from "../../errors/redacted.ts";
import type { RunDisplay } from "../../show/run-display.ts";
import { putLine } from "../../terminal/output.ts";

/** Prints each event as a line of JSON, then one line for the run. The error that ended the run is on stderr too. */
export function jsonDisplay(): RunDisplay {
  return {
    event(event) {
      print(event.type === "error" ? { ...event, content: redacted(event.content) } : event);
    },
    tool() {},
    pause() {},
    resume() {},
    end({ result, conversation, exit }) {
      const { text, steps, toolErrors, usage, cost, stop, error } = result;
      // The agent calls a turn `completed` when its answer was cut off; for the user such a run has stopped.
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
