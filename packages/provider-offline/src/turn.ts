import {
  CONTINUE,
  callOf,
  type ModelMessage,
  parseResults,
  parseSync,
  type ToolCall,
  type ToolResult,
} from "@cogency/protocol";

/** What the person last asked for, and what has happened since, as far as the messages tell. */
export interface Turn {
  request: string;
  /** The results that came, each with the calls of the message before it. */
  batches: { calls: ToolCall[]; results: ToolResult[] }[];
  /** What the model has said since the last results. */
  said: string;
}

export function readTurn(messages: readonly ModelMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === "user" && isRequest(message.content));
  const turn: Turn = { request: contentOf(messages[start]), batches: [], said: "" };
  let calls: ToolCall[] = [];
  for (const message of messages.slice(start + 1)) {
    if (message.role === "assistant") {
      const events = parseSync(message.content);
      calls = events.flatMap((event) => (event.type === "call" ? [callOf(event)] : []));
      turn.said = events.flatMap((event) => (event.type === "respond" ? [event.content] : [])).join("\n\n");
    } else {
      const results = resultsOf(contentOf(message));
      if (results === null) continue;
      turn.batches.push({ calls, results });
      turn.said = "";
      calls = [];
    }
  }
  return turn;
}

function isRequest(content: string): boolean {
  return content.trim() !== CONTINUE && resultsOf(content) === null;
}

function resultsOf(content: string): ToolResult[] | null {
  return content.startsWith("<results>") ? parseResults(content) : null;
}

function contentOf(message: ModelMessage | undefined): string {
  return message?.role === "user" ? message.content : "";
}
