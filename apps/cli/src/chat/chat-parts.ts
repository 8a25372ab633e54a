import { redacted } from "../base/errors/redacted.ts";
import type { Paper } from "../person/turn/paper.ts";
import type { Rows } from "../person/turn/remark.ts";
import { TurnView } from "../person/turn/turn-view.ts";
import type { SessionChoice } from "./conversation/chat-session.ts";
import { Conversation } from "./conversation/conversation.ts";
import type { ConversationView } from "./conversation/conversation-view.ts";
import { completions } from "./input/completions.ts";
import { QuestionView } from "./questions/question-view.ts";
import { sharedPaper } from "./questions/shared-paper.ts";
import { slashCommand } from "./slash/slash-commands.ts";

interface ChatPartsOptions {
  choice: SessionChoice;
  conversation: string;
  paper: Paper;
  size: () => { columns: number; rows: number };
  giveBack(text: string): void;
  /** Puts a key into the editor. */
  type(key: string): void;
  notify(text: string): void;
  /** What the terminal does for the person; see `ConversationView`. */
  hands: Pick<ConversationView, "choose" | "insert" | "terminalClipboard" | "copy">;
}

/** Milliseconds of a turn, after which its end is told. */
const longTurn = 10_000;

/** The parts of a chat that need the agent, the toolbox and the store. They are loaded when the first frame is painted. */
export function chatParts({
  choice,
  conversation: name,
  paper,
  size,
  giveBack,
  type,
  notify,
  hands,
}: ChatPartsOptions) {
  const shared = sharedPaper(paper, {
    isAsking: () => questions.isOpen,
    interrupt: () => turns.interrupted(),
  });
  const turns = new TurnView(shared.turns, "; Ctrl-O shows all");
  const questions: QuestionView = new QuestionView({ paper: shared.questions, size, onOpen: notify, type });
  const view: ConversationView = {
    keys,
    said: (text, attachments) => turns.said(text, attachments),
    event: (event, update) => turns.event(event, questions.event(event), update),
    remark: (text, kind) => turns.remark(text, kind),
    list: (rows) => turns.list(rows),
    text: (text) => turns.text(text),
    diff: (lines) => turns.diff(lines),
    ...hands,
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

/** What is pressed for what, as `/help` shows it. */
const keys: Rows = [
  ["Enter", "send; while the agent works, it reads it before its next request"],
  ["Alt-Enter", "say it after the answer, as /later does"],
  ["Ctrl-J, Shift-Enter, \\ Enter", "a new line"],
  ["Esc", "take back what was not sent yet; else cancel the turn"],
  ["Esc Esc", "where nothing is typed and nothing goes on: go back before an earlier prompt, and change it"],
  ["Ctrl-C", "cancel the turn, or clear the line; twice: leave"],
  ["Ctrl-D", "leave, where nothing is typed"],
  ["Ctrl-Z", "suspend; fg goes on"],
  ["Up, Down, Ctrl-R", "earlier prompts, and the search in them"],
  ["Ctrl-G", "write the prompt in $EDITOR"],
  ["Ctrl-O", "all of the output of the last call"],
  ["Ctrl-V", "put in the picture or the text of the clipboard; a picture goes with the prompt that holds its mark"],
  ["Shift-Tab", "the next mode: ask, edits, sandboxed, plan or read-only; /mode says what they mean"],
  ["Ctrl-T", "the plan of the model, as /plan shows it"],
  ["Alt-T", "the next level of thinking, as /think has them"],
  ["@path, Tab", "names a file; an image or a PDF is attached"],
  ["!command", "run it yourself, and show its output to the model with the next prompt; !! keeps it to yourself"],
];
