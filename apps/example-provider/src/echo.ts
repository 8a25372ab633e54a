import { formatCalls, type JsonObject, type ModelMessage, parseResults, type ToolCall } from "@cogency/protocol";
import { contentText, estimateUsage, type ModelEvent, type Provider, wait } from "@cogency/provider";
import { endOfAnswer } from "@cogency/provider/http";

export interface EchoOptions {
  /** Defaults to `echo-1`. */
  model?: string | undefined;
  /** Milliseconds before each word. Defaults to 0. */
  delay?: number | undefined;
}

/**
 * A model that you drive by hand. A message such as `read {"file": "notes.txt"}` spells out a tool call, and the model
 * makes that call. It repeats the results and every other message.
 */
export function echo({ model = "echo-1", delay = 0 }: EchoOptions = {}): Provider {
  return {
    name: "example",
    model,
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream(request, { signal } = {}) {
      const text = reply(request.messages.at(-1));
      const isAborted = () => signal?.aborted === true;
      for (const word of text.match(/\s*\S+/g) ?? []) {
        await wait(delay, signal);
        if (isAborted()) break;
        yield { type: "text", text: word };
      }
      const usage = estimateUsage(request, text);
      const end: ModelEvent[] = [
        { type: "usage", usage },
        { type: "finish", reason: "stop" },
      ];
      // An aborted answer costs nothing here.
      yield* endOfAnswer(end, isAborted, () => undefined);
    },
  };
}

function reply(message: ModelMessage | undefined): string {
  const content = message?.role === "user" ? contentText(message.content) : "";
  const results = content.startsWith("<results>") ? parseResults(content) : null;
  if (results) {
    const parts = results.map(({ tool, status, content }) => `${tool}: ${status}\n\n${quoted(content)}`);
    return `${parts.join("\n\n")}\n\n<end>`;
  }
  const call = callIn(content);
  return call ? formatCalls([call]) : `You said:\n\n${quoted(content)}\n\n<end>`;
}

function callIn(text: string): ToolCall | undefined {
  const [, name, json] = /^\s*([\w-]+)\s*(\{.*\})\s*$/s.exec(text) ?? [];
  if (name === undefined || json === undefined) return undefined;
  try {
    return { name, args: JSON.parse(json) as JsonObject };
  } catch {
    return undefined;
  }
}

/** In a code block with a longer fence than any in the text, so that a marker in it stays text (protocol.md P10). */
function quoted(content: unknown): string {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const fence = (text.match(/`{3,}/g) ?? []).reduce(
    (longest, run) => (run.length >= longest.length ? `${run}\`` : longest),
    "```",
  );
  return `${fence}\n${text}\n${fence}`;
}
