import { type LogEvent, parseResults } from "@cogency/protocol";

/**
 * What happened in these events, for a model that sums it up: one JSON object a line, so that nothing that a tool or a file said can
 * pose as another line. Thinking and the provider's own blocks are left out.
 *
 * @param most UTF-16 code units that one text of the transcript may have; the middle of a longer one is left out
 */
export function transcriptOf(events: readonly LogEvent[], most: number): string {
  const lines = events.flatMap((event): object[] => {
    switch (event.type) {
      case "user": {
        const attached = (event.attachments ?? []).map(({ kind, name, mediaType }) => `${kind} ${name ?? mediaType}`);
        const who = event.origin === undefined ? "user" : event.origin;
        return [{ [who]: shortened(event.content, most), ...(attached.length > 0 && { attached }) }];
      }
      case "respond":
        return [{ assistant: shortened(event.content, most) }];
      case "call":
        return [{ call: shortened(event.content, most) }];
      case "result":
        return resultLines(event.content, most);
      case "cancelled":
        return [{ cancelled: true }];
      case "record":
        return event.kind === "rejected" ? [{ refused: shortened(String(event.data?.message), most) }] : [];
      default:
        return [];
    }
  });
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** The text without its middle, if it is longer than `most` UTF-16 code units. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)} … ${left} characters left out … ${text.slice(text.length - half)}`.toWellFormed();
}

function resultLines(content: string, most: number): object[] {
  const results = parseResults(content);
  if (!results) return [{ results: shortened(content, most) }];
  return results.map(({ tool, status, content: value }) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return { result: tool, ...(status !== "success" && { status }), content: shortened(text ?? "", most) };
  });
}
