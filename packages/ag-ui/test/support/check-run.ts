import { EventSchema } from "@ag-ui/core/schemas";
import type { AgUiEvent } from "../../src/index.ts";

/** What the judge of a run knows of the conversation before it. */
export interface Before {
  /** The calls that the client has. */
  readonly calls?: readonly string[];
  /** The ids of its messages. */
  readonly messages?: readonly string[];
  /** The questions that are settled. */
  readonly settled?: readonly string[];
}

/** The rules of a run that the judges of AG-UI do not check: each fault as a line that begins with the name of its rule. */
export function checkRun(events: readonly AgUiEvent[], before: Before = {}): string[] {
  return [
    ...checkFrame(events),
    ...checkFields(events),
    ...checkMessages(events, before),
    ...checkCalls(events, before),
    ...checkInterrupts(events, before),
  ];
}

type Of<Type extends AgUiEvent["type"]> = Extract<AgUiEvent, { type: Type }>;

function only<Type extends AgUiEvent["type"]>(events: readonly AgUiEvent[], ...types: Type[]): Of<Type>[] {
  return events.filter((event): event is Of<Type> => (types as string[]).includes(event.type));
}

function checkFrame(events: readonly AgUiEvent[]): string[] {
  const [first] = events;
  if (!first) return ["empty: no event at all"];
  const last = events.at(-1);
  const started = only(events, "RUN_STARTED");
  const ended = only(events, "RUN_FINISHED", "RUN_ERROR");
  return [
    ...(first.type === "RUN_STARTED" && started.length === 1 ? [] : ["start: not exactly one RUN_STARTED, first"]),
    ...(ended.length === 1 && ended[0] === last ? [] : ["end: not exactly one RUN_FINISHED or RUN_ERROR, last"]),
    ...only(events, "RUN_FINISHED").flatMap(({ threadId, runId }) =>
      threadId === started[0]?.threadId && runId === started[0]?.runId ? [] : ["ids: other ids at the end"],
    ),
  ];
}

const fieldsByType = new Map(
  EventSchema.options.map(({ shape }) => [String(shape.type.value), new Set(Object.keys(shape))]),
);

function checkFields(events: readonly AgUiEvent[]): string[] {
  return events.flatMap((event) => {
    const fields = fieldsByType.get(event.type);
    if (!fields) return [`type: ${event.type} is none of AG-UI`];
    const unknown = Object.keys(event).filter((field) => !fields.has(field));
    return unknown.map((field) => `field: ${event.type} has no ${field}`);
  });
}

const opens: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_START: "text",
  REASONING_MESSAGE_START: "reasoning",
  REASONING_START: "span",
};
const closes: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_END: "text",
  REASONING_MESSAGE_END: "reasoning",
  REASONING_END: "span",
};

function checkMessages(events: readonly AgUiEvent[], before: Before): string[] {
  const open = new Set<string>();
  const ids = new Set(before.messages);
  const faults: string[] = [];
  const mint = (id: string) => {
    if (ids.has(id)) faults.push(`twice: the message ${id} comes twice`);
    ids.add(id);
  };
  for (const event of events) {
    if (event.type === "MESSAGES_SNAPSHOT") {
      const known = event.messages.map(({ id }) => id);
      if (new Set(known).size < known.length) faults.push("twice: a message stands twice in a snapshot");
      for (const id of known) ids.add(id);
    }
    if ("delta" in event && event.delta.length === 0) faults.push(`delta: an empty delta of ${event.type}`);
    if (!("messageId" in event)) continue;
    const { type, messageId } = event;
    if (type === "TEXT_MESSAGE_START" || type === "REASONING_MESSAGE_START" || type === "TOOL_CALL_RESULT")
      mint(messageId);
    if (opens[type]) open.add(`${opens[type]} ${messageId}`);
    if (closes[type]) open.delete(`${closes[type]} ${messageId}`);
  }
  return [...faults, ...[...open].map((id) => `open: ${id} is open at the end`)];
}

function checkCalls(events: readonly AgUiEvent[], before: Before): string[] {
  const known = new Set(before.calls);
  const begun = new Map<string, string>();
  const answered = new Set<string>();
  const faults: string[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type === "MESSAGES_SNAPSHOT") {
      for (const message of event.messages)
        if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) known.add(id);
    }
    if (!("toolCallId" in event)) continue;
    const { toolCallId: id } = event;
    if (event.type === "TOOL_CALL_START") {
      if (begun.has(id) || known.has(id)) faults.push(`announced: the call ${id} is announced twice`);
      begun.set(id, "");
    }
    if (event.type === "TOOL_CALL_ARGS") begun.set(id, `${begun.get(id) ?? ""}${event.delta}`);
    const isCorrected = events.slice(index).some(({ type }) => type === "MESSAGES_SNAPSHOT");
    if (event.type === "TOOL_CALL_END" && !isCorrected && !isJson(begun.get(id)))
      faults.push(`arguments: those of ${id} are no JSON`);
    if (event.type !== "TOOL_CALL_RESULT") continue;
    if (!begun.has(id) && !known.has(id)) faults.push(`unknown: a result of the call ${id}, which was never made`);
    if (answered.has(id)) faults.push(`result: the call ${id} has two results`);
    answered.add(id);
  }
  const isWaiting = pendingOf(events.at(-1));
  return [
    ...faults,
    ...[...begun.keys()].flatMap((id) =>
      answered.has(id) || isWaiting(id) ? [] : `result: the call ${id} has no result, and nobody is asked for one`,
    ),
  ];
}

/** Whether the end of a run leaves a call open: one that the client runs, or any while a person is asked. */
function pendingOf(last: AgUiEvent | undefined): (id: string) => boolean {
  const outcome = last?.type === "RUN_FINISHED" ? last.outcome : undefined;
  if (outcome?.type === "interrupt") return () => true;
  const pending = outcome?.type === "success" ? (outcome.pendingToolCallIds ?? []) : [];
  return (id) => pending.includes(id);
}

function isJson(text = ""): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function checkInterrupts(events: readonly AgUiEvent[], before: Before): string[] {
  const last = events.at(-1);
  if (last?.type !== "RUN_FINISHED" || last.outcome?.type !== "interrupt") return [];
  const done = new Set(only(events, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId));
  return last.outcome.interrupts.flatMap(({ id, toolCallId = "" }) =>
    before.settled?.includes(id) || done.has(toolCallId) ? `reopened: the interrupt ${id} is settled` : [],
  );
}
