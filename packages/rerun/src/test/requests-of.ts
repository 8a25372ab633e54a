import { type LogEvent, type MessageForm, toMessages } from "@cogency/protocol";
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

type RequestRecord = Extract<LogEvent, { type: "record"; kind: "request" }>;

const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];

/** The requests that a log holds, each as it was sent. */
export function requestsOf(log: readonly LogEvent[]): FoundRequest[] {
  const systems = new Map<string, RequestRecord["data"]["system"]>();
  const tools = new Map<string, RequestRecord["data"]["tools"]>();
  return log.flatMap((event, at): FoundRequest[] => {
    if (event.type !== "record" || event.kind !== "request") return [];
    const { driver, provider, model, settings, messages, hashes, system, tools: offered } = event.data;
    if (system !== undefined) systems.set(hashes.system, system);
    if (hashes.tools !== undefined && offered) tools.set(hashes.tools, offered);
    const form = forms.find((one) => one === messages.form);
    const { without } = messages;
    const ids = log.slice(0, at).flatMap((one) => (one.type === "call" && one.id !== undefined ? [one.id] : []));
    const sent = form && toMessages(log.slice(0, at), { form, ...(without && { without }) });
    return [
      {
        at,
        driver,
        provider,
        model,
        form,
        system: systems.get(hashes.system),
        tools: hashes.tools === undefined ? [] : tools.get(hashes.tools),
        settings,
        without: without?.flatMap((id) => (ids.includes(id) ? [ids.indexOf(id) + 1] : [])),
        messages: sent && withCallNumbers(sent, log),
      },
    ];
  });
}
