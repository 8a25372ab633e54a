import { areAttachments } from "../attachment.ts";
import type { ModelMessage } from "../message.ts";
import type { ToolSpec } from "../tool.ts";
import { fieldsOf, type NumberedEvent } from "./numbered-event.ts";
import type { SentMessage, SentRequest } from "./sent-request.ts";
import { type SystemSection, systemParts } from "./system-sections.ts";

/** One part of a request: a tool, a section of the system prompt, or a message. */
export interface RequestPart {
  readonly kind: "tool" | "system" | "message";
  /** Of a tool or a section, or the role of a message. */
  readonly name: string;
  /** As the model reads it, and what is no text as JSON. */
  readonly text: string;
  /** The numbers of the events that it was made from, in order; empty for what the runtime says by itself. */
  readonly events: readonly number[];
  /** UTF-16 code units of the text. */
  readonly characters: number;
  /** Estimated: one for four characters, and 1,500 for an attachment. */
  readonly tokens: number;
  readonly attachments: number;
  /** Of a summary: the numbers of the first and the last event that it stands for. */
  readonly standsFor?: { readonly from: number; readonly to: number };
  /** Everything that a server could tell it by. Equal parts have equal texts here. */
  readonly identity: string;
}

/**
 * The parts of a request in the order in which servers read them: tools, system prompt, messages. Without messages where the log does not
 * hold them.
 */
export function requestParts(
  request: SentRequest,
  log: readonly NumberedEvent[],
  sections: readonly SystemSection[] = [],
): RequestPart[] {
  const { system, tools, messages = [] } = request;
  const tellers = tellersOf(log, request.seq);
  const summaries = summariesOf(log);
  return [
    ...tools.value.map((tool) => toolPart(tool, [...(tellers.get(tool.name) ?? []), tools.seq])),
    ...(system ? systemParts(system.value, sections) : []).map(({ name, text }) =>
      part({ kind: "system", name, text, events: [system?.seq as number], identity: text }),
    ),
    ...messages.map((message) => messagePart(message, summaries)),
  ];
}

function part(
  fields: Omit<RequestPart, "characters" | "tokens" | "attachments"> & { attachments?: number },
): RequestPart {
  const { text, attachments = 0 } = fields;
  const tokens = Math.ceil(text.length / charactersPerToken) + attachments * tokensPerAttachment;
  return { ...fields, characters: text.length, tokens, attachments };
}

/** As a provider estimates its requests. */
const charactersPerToken = 4;
const tokensPerAttachment = 1500;

function toolPart(tool: ToolSpec, events: readonly number[]): RequestPart {
  const text = JSON.stringify(tool);
  return part({ kind: "tool", name: String(fieldsOf(tool).name), text, events, identity: text });
}

/** The records that brought tools which are not the agent's own, by the names of the tools. */
function tellersOf(log: readonly NumberedEvent[], before: number): ReadonlyMap<string, number[]> {
  const tellers = new Map<string, number[]>();
  for (const event of log) {
    if (event.seq >= before) break;
    if (event.type !== "record") continue;
    const { tools, names } = fieldsOf(event.data);
    const isTeller = event.kind === "client_tools" || event.kind === "source_tools" || event.kind === "tools_found";
    const told = isTeller ? [tools, names].flatMap((list) => (Array.isArray(list) ? list : [])) : [];
    for (const one of told) tellers.set(typeof one === "string" ? one : String(fieldsOf(one).name), [event.seq]);
  }
  return tellers;
}

function messagePart({ message, events }: SentMessage, summaries: ReadonlyMap<number, Span>): RequestPart {
  const summary = events.length === 1 ? summaries.get(events[0] as number) : undefined;
  return part({
    kind: "message",
    name: message.role,
    text: sentMessageText(message),
    events,
    attachments: attachmentsOf(message).length,
    ...(summary && { standsFor: summary }),
    identity: JSON.stringify(message),
  });
}

type Span = NonNullable<RequestPart["standsFor"]>;

/** What the summaries of a log stand for, by the numbers of their records. */
function summariesOf(log: readonly NumberedEvent[]): ReadonlyMap<number, Span> {
  const summaries = new Map<number, Span>();
  for (const event of log) {
    if (event.type !== "record" || event.kind !== "summary") continue;
    const { upTo } = fieldsOf(event.data);
    const [first, last] = [log[0], log[(typeof upTo === "number" ? upTo : 0) - 1]];
    if (first && last) summaries.set(event.seq, { from: first.seq, to: last.seq });
  }
  return summaries;
}

/** The attachments of a message. */
export function attachmentsOf(message: ModelMessage): readonly { readonly mediaType: string }[] {
  if (message.role === "tool")
    return message.results.flatMap(({ attachments }) => (areAttachments(attachments) ? (attachments ?? []) : []));
  const { content } = message;
  return typeof content === "string" ? [] : content.flatMap((one) => (one.kind === "text" ? [] : one));
}

/** A message in the words that the model reads; calls as JSON, attachments by their type. */
export function sentMessageText(message: ModelMessage): string {
  if (message.role === "tool")
    return message.results
      .map(({ id, name, content, failed }) => `${name} ${id}${failed ? ", failed" : ""}\n${content}`)
      .join("\n\n");
  const { content } = message;
  const text =
    typeof content === "string"
      ? content
      : content.map((one) => (one.kind === "text" ? one.text : `[${one.kind} ${one.mediaType}]`)).join("\n");
  const calls = message.role === "assistant" && message.calls ? JSON.stringify(message.calls, null, 2) : "";
  return [text, calls].filter((one) => one !== "").join("\n");
}
