import type { Json } from "@cogency/protocol";

/** What came of an agent that a call has started, from the content of its result: `Mended.`, or `stopped: Half of it.` */
export function agentSummary(content: Json): string | undefined {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
  const { agent, conversation, status, text, stop } = content;
  if (typeof agent !== "string" || typeof conversation !== "string" || typeof status !== "string") return undefined;
  const words = typeof text === "string" ? text.trim() : "";
  if (status === "completed") return words === "" ? "completed without a word" : words;
  const why = messageOf(stop);
  return [why === undefined ? status : `${status}, ${why}`, words].filter((part) => part !== "").join(": ");
}

/** The same with the name of the agent: `reviewer: Mended.` */
export function agentLine(content: Json): string | undefined {
  const summary = agentSummary(content);
  return summary === undefined ? undefined : `${(content as { agent: string }).agent}: ${summary}`;
}

function messageOf(stop: Json | undefined): string | undefined {
  if (typeof stop === "string") return stop;
  if (typeof stop !== "object" || stop === null || Array.isArray(stop)) return undefined;
  return typeof stop.message === "string" ? stop.message : undefined;
}
