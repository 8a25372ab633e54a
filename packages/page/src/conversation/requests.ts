import { type MessageForm, type ModelMessage, type ToolSpec, toMessages } from "@cogency/protocol";
import type { PageEvent } from "../page-source.ts";
import { fieldsOf, type RequestData, type Step } from "./step.ts";

/** A request as it was sent. */
export interface SentRequest {
  readonly data: RequestData;
  readonly system: string | undefined;
  readonly tools: readonly ToolSpec[];
  /** Undefined if the driver made messages of its own, which the log does not hold. */
  readonly messages: readonly ModelMessage[] | undefined;
  /** How many of them the request before had sent, too. */
  readonly again: number;
  /** Of the request before; undefined for the first one. */
  readonly before: { readonly system: string | undefined; readonly tools: readonly ToolSpec[] } | undefined;
}

/** Puts a request together from the log before its record. */
export function sentRequest(events: readonly PageEvent[], { request }: Step): SentRequest | undefined {
  if (!request) return undefined;
  const { data, seq } = request;
  const earlier = events.filter((event) => event.seq < seq);
  const { again } = fieldsOf(data.messages);
  const form = formOf(data);
  const before = earlier.findLast((event) => event.type === "record" && event.kind === "request");
  return {
    data,
    ...taughtBy(data, earlier),
    messages: form && toMessages(earlier, { form, without: withoutOf(data) }),
    again: typeof again === "number" ? again : 0,
    before:
      before?.type === "record" && before.kind === "request"
        ? taughtBy(
            before.data,
            earlier.filter(({ seq }) => seq < before.seq),
          )
        : undefined,
  };
}

/** The form of a request's messages; undefined for one that this version does not know. */
function formOf(data: RequestData | undefined): MessageForm | undefined {
  const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];
  return forms.find((form) => form === fieldsOf(data?.messages).form);
}

/** The calls that its messages leave out. */
function withoutOf({ messages }: RequestData): string[] {
  const { without } = fieldsOf(messages);
  return Array.isArray(without) ? without.filter((id) => typeof id === "string") : [];
}

/** The system prompt and the tools of a request. Where they had not changed, an earlier record holds them. */
function taughtBy(data: RequestData, earlier: readonly PageEvent[]): Pick<SentRequest, "system" | "tools"> {
  const { system: systemHash, tools: toolsHash } = fieldsOf(data.hashes);
  const records = earlier.flatMap((event) =>
    event.type === "record" && event.kind === "request" ? [fieldsOf(event.data)] : [],
  );
  const isHeld = (hash: unknown, held: Readonly<Record<string, unknown>>, name: "system" | "tools") =>
    held[name] !== undefined && fieldsOf(held.hashes)[name] === hash;
  const system = data.system ?? records.findLast((held) => isHeld(systemHash, held, "system"))?.system;
  const tools =
    toolsHash === undefined ? [] : (data.tools ?? records.findLast((held) => isHeld(toolsHash, held, "tools"))?.tools);
  return {
    system: typeof system === "string" ? system : undefined,
    tools: Array.isArray(tools) ? (tools as ToolSpec[]) : [],
  };
}

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
