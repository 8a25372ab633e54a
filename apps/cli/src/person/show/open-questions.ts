import type { ToolCall } from "@cogency/protocol";
import { partsOf, type QuestionPart } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { oneLine, visible, wordWrapped } from "../../base/terminal/text.ts";
import { askedServer, definitionIn } from "../approval/asked-server.ts";
import { questionRows } from "../approval/question.ts";

/** A question to a person, and the call that it is about, as it will run. */
export interface AskedQuestion {
  question: QuestionPart;
  call: ToolCall;
  /** The fingerprint of the definition of a server's tool. */
  definition?: string | undefined;
}

/** Every question of a log, open or settled. */
export function questionsOf(events: readonly StoredEvent[]): AskedQuestion[] {
  const parts = partsOf(events);
  const calls = new Map(
    parts.flatMap((part) => (part.type === "call" && part.id !== undefined ? [[part.id, part]] : [])),
  );
  return parts.flatMap((part) => {
    if (part.type !== "question") return [];
    const call = { name: part.name, args: part.args ?? calls.get(part.call)?.args ?? {} };
    return { question: part, call, definition: definitionIn(events, part.id) };
  });
}

/**
 * All that a question asks: every argument of a call that would run, with what is known of the server of its tool, or the words of a tool.
 *
 * @param scope the folder that the conversation belongs to
 */
export function askedRows(
  { question, call, definition }: AskedQuestion,
  stream: NodeJS.WriteStream,
  columns: number,
  scope: string | undefined,
): string[] {
  if (question.asks === "approval") {
    const server = askedServer({ name: question.name, definition }, scope);
    return questionRows({ ...question, call, ...server }, columns, stream);
  }
  const lines = visible(question.message ?? "").split("\n");
  const schema = question.schema === undefined ? [] : [`An answer fits ${JSON.stringify(question.schema)}`];
  return [`${oneLine(question.name, 64)} asks`, ...[...lines, ...schema].map((line) => `  ${visible(line)}`)].flatMap(
    (line) => wordWrapped(line, columns),
  );
}
