import type { RecordContent } from "../events.ts";
import type { MessageForm, ModelMessage } from "../message.ts";
import { tracedMessages } from "../messages/traced-assembler.ts";
import type { ToolSpec } from "../tool.ts";
import { fieldsOf, type NumberedEvent } from "./numbered-event.ts";

/** What the record of a request says. */
export type RequestRecord = Extract<RecordContent, { kind: "request" }>["data"];

/** A message of a request, and the numbers of the events that it was made from: none for what the runtime says by itself. */
export interface SentMessage {
  readonly message: ModelMessage;
  readonly events: readonly number[];
}

/** A request as it was sent. Fields of its record may be missing, as in any log from elsewhere. */
export interface SentRequest {
  readonly seq: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly data: RequestRecord;
  /** Undefined if the log does not hold it. */
  readonly system: Held<string> | undefined;
  readonly tools: Held<readonly ToolSpec[]>;
  /** Undefined if a driver, a view or a hook made messages of its own, which the log does not hold. */
  readonly messages: readonly SentMessage[] | undefined;
  /** How many messages at the beginning the same run had sent before. */
  readonly again: number;
  readonly count: number;
  /** The calls that its messages leave out. */
  readonly without: readonly string[];
}

/** A part of a request, and the number of the record that holds it. */
export interface Held<Part> {
  readonly value: Part;
  readonly seq: number;
}

/**
 * Puts the request of a record together from the log before it. Undefined if there is no record of a request with this number. Takes as
 * long as assembling the log once.
 */
export function sentRequest(log: readonly NumberedEvent[], seq: number): SentRequest | undefined {
  const at = log.findIndex((event) => event.seq === seq);
  const record = log[at];
  if (!isRequest(record)) return undefined;
  const data = fieldsOf(record.data) as unknown as RequestRecord;
  const earlier = log.slice(0, at);
  const { again, count } = fieldsOf(data.messages);
  const form = formOf(data);
  const without = withoutOf(data);
  return {
    seq,
    timestamp: record.timestamp,
    data,
    ...heldParts(data, log.slice(0, at + 1)),
    messages: form && messagesOf(earlier, form, without),
    again: typeof again === "number" ? again : 0,
    count: typeof count === "number" ? count : 0,
    without,
  };
}

/** The messages that a log makes, with the numbers of their events. */
export function messagesOf(
  log: readonly NumberedEvent[],
  form: MessageForm,
  without: readonly string[],
): SentMessage[] {
  return tracedMessages(log, { form, without }).map(({ message, events }) => ({
    message,
    events: events.map((place) => (log[place] as NumberedEvent).seq),
  }));
}

export function isRequest(
  event: NumberedEvent | undefined,
): event is NumberedEvent & { type: "record"; kind: "request"; data: RequestRecord } {
  return event?.type === "record" && event.kind === "request";
}

/** The form of a request's messages; undefined where the log does not hold them, and for one that this version does not know. */
export function formOf(data: unknown): MessageForm | undefined {
  const { form } = fieldsOf(fieldsOf(data).messages);
  return forms.find((one) => one === form);
}

const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];

function withoutOf({ messages }: RequestRecord): string[] {
  const { without } = fieldsOf(messages);
  return Array.isArray(without) ? without.filter((id) => typeof id === "string") : [];
}

/** The system prompt and the tools of the last request of a log. Where they had not changed, an earlier record holds them. */
function heldParts(data: RequestRecord, log: readonly NumberedEvent[]): Pick<SentRequest, "system" | "tools"> {
  const hashes = fieldsOf(data.hashes);
  const records = log.filter(isRequest);
  const own = records.at(-1);
  const held = (name: "system" | "tools") =>
    fieldsOf(own?.data)[name] !== undefined
      ? own
      : records.findLast((one) => {
          const fields = fieldsOf(one.data);
          return fields[name] !== undefined && fieldsOf(fields.hashes)[name] === hashes[name];
        });
  const system = held("system");
  const text = fieldsOf(system?.data).system;
  const tools = hashes.tools === undefined ? undefined : held("tools");
  const list = fieldsOf(tools?.data).tools;
  return {
    system: system && typeof text === "string" ? { value: text, seq: system.seq } : undefined,
    tools: { value: Array.isArray(list) ? (list as ToolSpec[]) : [], seq: tools?.seq ?? own?.seq ?? 0 },
  };
}
