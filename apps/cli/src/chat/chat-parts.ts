import { redacted } from "../base/errors/redacted.ts";
import type { SessionChoice } from "./conversation/chat-session.ts";
import { Conversation } from "./conversation/conversation.ts";
import type { ConversationView } from "./conversation/conversation-view.ts";
import { completions } from "./input/completions.ts";
import { keys } from "./keys.ts";
import type { Paper } from "./paper.ts";
import { QuestionView } from "./questions/question-view.ts";
import { slashCommand } from "./slash/slash-commands.ts";
import { TurnView } from "./turn/turn-view.ts";

interface ChatPartsOptions {
  choice: SessionChoice;
  conversation: string;
  paper: Paper;
  size: () => { columns: number; rows: number };
  giveBack(text: string): void;
  notify(text: string): void;
}

/** Milliseconds of a turn, after which its end is told. */
const longTurn = 10_000;

/** The parts of a chat that need the agent, the toolbox and the store. They are loaded when the first frame is painted. */
export function chatParts({ choice, conversation: name, paper, size, giveBack, notify }: ChatPartsOptions) {
  const turns = new TurnView(paper);
  const questions = new QuestionView(paper, size, notify);
  const view: ConversationView = {
    keys,
    said: (text, attachments) => turns.said(text, attachments),
    event(event) {
      questions.event(event);
      turns.event(event);
    },
    remark: (text, kind) => turns.remark(text, kind),
    list: (rows) => turns.list(rows),
    text: (text) => turns.text(text),
    giveBack,
    changed: () => paper.refresh(),
    turnEnded(milliseconds) {
      if (milliseconds > longTurn) notify("The agent has stopped working.");
    },
    showThinking(isShown) {
      turns.showsThinking = isShown;
    },
  };
  const conversation = new Conversation({ choice, conversation: name, person: questions, view, command: slashCommand });
  return {
    conversation,
    turns,
    questions,
    completions: completions(conversation),
    /** Shows what was written to stderr. */
    written: (text: string) => turns.remark(redacted(text).trimEnd()),
  };
}

export type ChatParts = ReturnType<typeof chatParts>;
