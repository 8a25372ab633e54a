import { type MessageForm, type ModelMessage, toMessages } from "@cogency/protocol";
import type { PageEvent } from "../page-source.ts";
import { fieldsOf, type Step } from "./step.ts";

/** The reply of a step as the next request shows it to the model. */
export function replyMessage(events: readonly PageEvent[], step: Step): ModelMessage | undefined {
  const form = formOf(step.request?.data) ?? "json";
  const next = events.findIndex(
    ({ seq, type }) => seq > step.seq && (type === "result" || type === "user" || type === "cancelled"),
  );
  const later = events.findIndex(
    (event) => event.seq > step.seq && event.type === "record" && (event.kind === "usage" || event.kind === "run"),
  );
  const ends = [next, later].filter((at) => at !== -1);
  const end = ends.length > 0 ? Math.min(...ends) : events.length;
  return toMessages(events.slice(0, end), { form }).findLast(({ role }) => role === "assistant");
}

/** The form of a request's messages; undefined for one that this version does not know. */
function formOf(data: unknown): MessageForm | undefined {
  const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];
  return forms.find((form) => form === fieldsOf(fieldsOf(data).messages).form);
}
