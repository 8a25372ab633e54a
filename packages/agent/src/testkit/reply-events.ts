import type { ModelEvent, ScriptedReply } from "@cogency/provider";

/** The pieces of an answer, without usage and finish. */
export function eventsOf(reply: ScriptedReply): ModelEvent[] {
  const { chunks = [], events = [] } = isTexts(reply) ? { chunks: reply } : reply;
  const texts = typeof chunks === "string" ? [chunks] : chunks;
  const all = [...texts.map((text): ModelEvent => ({ type: "text", text })), ...events];
  return all.filter(({ type }) => type !== "usage" && type !== "finish");
}

function isTexts(reply: ScriptedReply): reply is string | readonly string[] {
  return typeof reply === "string" || Array.isArray(reply);
}

/** The same answer in pieces of so many UTF-16 code units. */
export function recut(events: readonly ModelEvent[], size: number): ModelEvent[] {
  return joined(events).flatMap((event): ModelEvent[] => {
    switch (event.type) {
      case "text":
      case "reasoning":
        return cut(event.text, size).map((text) => ({ ...event, text }));
      case "tool_call_delta": {
        const { type, index, ...first } = event;
        return cut(event.arguments, size).map((piece, place) => ({
          type,
          index,
          ...(place === 0 && first),
          arguments: piece,
        }));
      }
      default:
        return [event];
    }
  });
}

function joined(events: readonly ModelEvent[]): ModelEvent[] {
  const all: ModelEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type) {
      all[all.length - 1] = { ...last, text: last.text + event.text };
    } else if (event.type === "tool_call_delta" && last?.type === event.type && last.index === event.index) {
      all[all.length - 1] = { ...last, ...event, arguments: last.arguments + event.arguments };
    } else all.push(event);
  }
  return all;
}

/** At least one piece, so that an event without text stays. */
function cut(text: string, size: number): string[] {
  if (text === "") return [""];
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size));
  return pieces;
}

/** What the model wrote: its text, and the arguments of its calls. */
export function writtenIn(events: readonly ModelEvent[]): string {
  return events
    .map((event) => (event.type === "text" ? event.text : event.type === "tool_call" ? event.arguments : ""))
    .join("");
}
