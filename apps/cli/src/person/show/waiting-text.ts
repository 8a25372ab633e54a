import type { OpenQuestion } from "@cogency/agent";
import { shellWord } from "../../base/terminal/shell-word.ts";
import { oneLine, visible, wrappedFor } from "../../base/terminal/text.ts";
import { callLine } from "./call-lines.ts";

/** A question that a run leaves open: the call that would run, or all that a tool asks and how to answer it. */
export function waitingText(
  { question, name, args, message }: Pick<OpenQuestion, "question" | "name" | "args" | "message">,
  conversation: string,
  stream: NodeJS.WriteStream,
): string {
  if (message === undefined) return `? ${callLine({ name, args }, stream)}`;
  const lines = wrappedFor(stream, visible(message), 2).split("\n");
  const answer = `cogency answer ${shellWord(conversation)} ${question.slice(0, 8)} <your answer>`;
  return [`? ${oneLine(name, 64)} asks`, ...lines.map((line) => `  ${line}`.trimEnd()), `  ${answer}`].join("\n");
}
