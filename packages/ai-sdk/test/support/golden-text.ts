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
  return chunks.reduce<UIMessageChunk[]>((lines, chunk) => {
    const last = lines.at(-1);
    if (
      (chunk.type === "text-delta" || chunk.type === "reasoning-delta") &&
      last?.type === chunk.type &&
      last.id === chunk.id
    )
      return [...lines.slice(0, -1), { ...chunk, delta: `${last.delta}|${chunk.delta}` }];
    if (chunk.type === "tool-input-delta" && last?.type === chunk.type && last.toolCallId === chunk.toolCallId)
      return [...lines.slice(0, -1), { ...chunk, inputTextDelta: `${last.inputTextDelta}|${chunk.inputTextDelta}` }];
    return [...lines, chunk];
  }, []);
}
