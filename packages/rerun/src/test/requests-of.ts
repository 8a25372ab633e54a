import type { LogEvent, MessageForm } from "@cogency/protocol";
import { sentRequest } from "@cogency/protocol/why";
import { withCallNumbers } from "../play/call-numbers.ts";
import type { RecordedRequest } from "../play/recorded-request.ts";

/** A request of a log, and the place of its record. */
export interface FoundRequest extends RecordedRequest {
  readonly at: number;
  readonly driver: string;
  readonly provider: string;
  readonly model: string;
  readonly form: MessageForm | undefined;
}

/** The requests that a log holds, each as it was sent. */
export function requestsOf(log: readonly LogEvent[]): FoundRequest[] {
  const numbered = log.map((event, seq) => ({ ...event, seq }));
  const ids = log.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : []));
  return numbered.flatMap(({ seq: at }): FoundRequest[] => {
    const sent = sentRequest(numbered, at);
    if (!sent) return [];
    const { data, system, tools, messages, without } = sent;
    const { driver, provider, model, settings, hashes } = data;
    // A log that lacks the record of its tools says nothing of them.
    const isKnown = hashes.tools === undefined || tools.value.length > 0;
    return [
      {
        at,
        driver,
        provider,
        model,
        // Where the log holds its messages, their form is a known one.
        form: messages && (data.messages.form as MessageForm),
        system: system?.value,
        tools: isKnown ? tools.value : undefined,
        settings,
        without: without.flatMap((id) => (ids.includes(id) ? [ids.indexOf(id) + 1] : [])),
        messages:
          messages &&
          withCallNumbers(
            messages.map(({ message }) => message),
            log,
          ),
      },
    ];
  });
}
