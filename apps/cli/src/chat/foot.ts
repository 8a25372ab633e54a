import { styleText } from "node:util";
import { oneLine, visible, wordWrapped } from "../base/terminal/text.ts";
import type { Frame } from "../screen/paint.ts";
import type { ConversationState } from "./conversation/conversation.ts";
import type { OwnCommand } from "./conversation/own-command.ts";

/** What stands at the foot of a chat. */
export interface FootParts {
  /** What may still change of the turn. */
  live: readonly string[];
  state: Pick<ConversationState, "sending" | "steers" | "queue" | "own">;
  /** What can be answered; empty without a question. */
  question: readonly string[];
  /** What is typed; undefined where keys answer a question. */
  input: Frame | undefined;
  /** The search in earlier prompts. */
  search: string | undefined;
  /** How far the plan is; undefined without one that is open. */
  plan: string | undefined;
  status: string;
}

/** Rows that are shown of what the person's own command prints. */
const ownRows = 8;
/** Rows that are shown of a prompt that is on its way. */
const sendingRows = 6;

/**
 * Puts the foot together: what goes on, what is not sent yet, the question, what is typed, and the status line. Of what goes on, only
 * the last rows are shown that fit.
 */
export function foot(parts: FootParts, columns: number, rows: number, stream: NodeJS.WriteStream): Frame {
  const dim = (text: string) => styleText("dim", text, { stream });
  const { state, question, search } = parts;
  const input = parts.input ?? { rows: [], cursor: { row: 0, column: 0 } };
  const unsent = [
    ...state.steers.map((text) => dim(oneLine(`next: ${text}`, columns))),
    ...state.queue.map((text) => dim(oneLine(`later: ${text}`, columns))),
  ];
  const plan = parts.plan === undefined ? [] : [dim(oneLine(parts.plan, columns))];
  const below = [...(search === undefined ? [] : [search]), ...plan, dim(parts.status)];
  const going = [
    ...parts.live,
    ...sendingLines(state.sending, columns, stream),
    ...ownLines(state.own, columns, stream),
  ];
  const room = Math.max(0, rows - question.length - input.rows.length - unsent.length - below.length - 1);
  const above = [...going.slice(Math.max(0, going.length - room)), "", ...unsent, ...question];
  const cursor = parts.input
    ? { row: above.length + input.cursor.row, column: input.cursor.column }
    : { row: above.length - 1, column: 0 };
  return { rows: [...above, ...input.rows, ...below], cursor };
}

function sendingLines(sending: string | undefined, columns: number, stream: NodeJS.WriteStream): string[] {
  if (sending === undefined) return [];
  const lines = visible(sending)
    .split("\n", sendingRows)
    .flatMap((line) => wordWrapped(line, columns - 2))
    .slice(0, sendingRows);
  return ["", ...lines.map((line, at) => styleText("bold", `${at === 0 ? ">" : " "} ${line}`, { stream }))];
}

function ownLines(own: OwnCommand | undefined, columns: number, stream: NodeJS.WriteStream): string[] {
  if (!own) return [];
  const dim = (text: string) => styleText("dim", text, { stream });
  const lines = own.output === "" ? [] : visible(own.output).split("\n").slice(-ownRows);
  return ["", dim(oneLine(`! ${own.line}`, columns)), ...lines.map((line) => oneLine(line, columns))];
}
