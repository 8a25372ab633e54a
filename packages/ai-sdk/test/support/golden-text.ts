import type { UIMessageChunk } from "ai";
import type { Played } from "./play.ts";

/** What a person reads of a conversation: the messages, and the chunks of each answer, where adjacent deltas stand in one line. */
export function goldenText(about: string, live: Played, history: Played): string {
  const streams = (played: Played) =>
    [...played.streams].flatMap(([id, chunks]) => [
      `answer ${id}`,
      ...joined(chunks).map((chunk) => `  ${line(chunk)}`),
    ]);
  return [
    about,
    "",
    "## Messages",
    ...live.messages.map(({ id, role, metadata, parts }) =>
      [`${role} ${id} ${JSON.stringify(metadata ?? {})}`, ...parts.map((part) => `  ${line(part)}`)].join("\n"),
    ),
    "",
    "## Live",
    ...streams(live),
    "",
    "## From the log",
    ...streams(history),
    "",
  ].join("\n");
}

function line(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 1000 ? text : `${text.slice(0, 1000)}… ${text.length} characters`;
}

function joined(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const lines: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    const last = lines.at(-1);
    const isText = chunk.type === "text-delta" || chunk.type === "reasoning-delta";
    if (isText && last?.type === chunk.type && last.id === chunk.id) last.delta += `|${chunk.delta}`;
    else if (chunk.type === "tool-input-delta" && last?.type === chunk.type && last.toolCallId === chunk.toolCallId)
      last.inputTextDelta += `|${chunk.inputTextDelta}`;
    else lines.push({ ...chunk });
  }
  return lines;
}
