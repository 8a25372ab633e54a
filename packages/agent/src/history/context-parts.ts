import type { LogEvent, RecordEvent, ToolSpec } from "@cogency/protocol";
import { attachedTokens, charactersPerToken, textTokens } from "./estimate.ts";
import { outlineOf } from "./outline.ts";
import { planNow } from "./plan-now.ts";

/** What the requests of a conversation hold, by part. Tokens are estimated: one for four characters, and 1,500 for an attachment. */
export interface ContextParts {
  /** The system prompt of the last request; empty before the first one, and where requests are not recorded (`recordRequests`). */
  system: string;
  /** The tools of the last request; empty where its system prompt teaches them, as the text protocol does. */
  tools: readonly ToolSpec[];
  /** What is in the messages, the largest part first; only parts that there are. */
  messages: readonly { part: MessagePartName; tokens: number }[];
  /** Tokens by which a summary of all but the last round would make the next request smaller; 0 where none would be made. */
  freed: number;
}

/**
 * `summary` stands for the earlier part of the conversation. `user`: what persons said. `notices`: what the runtime told the model.
 */
export type MessagePartName =
  | "summary"
  | "user"
  | "notices"
  | "answers"
  | "thinking"
  | "calls"
  | "results"
  | "attachments";

/** Reads from a log what fills the context window of its model. */
export function contextParts(log: readonly LogEvent[]): ContextParts {
  const summary = outlineOf(log).summaries.at(-1);
  const tokens = new Map<MessagePartName, number>();
  const add = (part: MessagePartName, count: number) => tokens.set(part, (tokens.get(part) ?? 0) + count);
  if (summary?.upTo) add("summary", textTokens(summary.text));
  for (const event of log.slice(summary?.upTo ?? 0)) {
    add("attachments", attachedTokens(event));
    const part = partOf(event);
    if (part !== undefined && "content" in event) add(part, event.content.length / charactersPerToken);
  }
  const messages = [...tokens]
    .map(([part, count]) => ({ part, tokens: Math.ceil(count) }))
    .filter((one) => one.tokens > 0)
    .sort((one, other) => other.tokens - one.tokens);
  return { ...lastRequest(log), messages, freed: planNow(log)?.freed ?? 0 };
}

function partOf(event: LogEvent): MessagePartName | undefined {
  switch (event.type) {
    case "user":
      return event.origin === undefined || event.origin === "untrusted" ? "user" : "notices";
    case "respond":
      return "answers";
    case "think":
      return "thinking";
    case "call":
      return "calls";
    case "result":
      return "results";
    default:
      return undefined;
  }
}

/** A record leaves out what is the same as in the one before. A log from elsewhere may hold anything. */
function lastRequest(log: readonly LogEvent[]): Pick<ContextParts, "system" | "tools"> {
  const requests = log.filter(isRequest).map(({ data }) => (data ?? {}) as Partial<typeof data>);
  const system = requests.findLast((data) => typeof data.system === "string")?.system ?? "";
  const tools = requests.findLast((data) => Array.isArray(data.tools))?.tools ?? [];
  const hasTools = requests.at(-1)?.hashes?.tools !== undefined;
  return { system, tools: hasTools ? tools : [] };
}

function isRequest(event: LogEvent): event is RecordEvent & { kind: "request" } {
  return event.type === "record" && event.kind === "request";
}
