import type { Rows } from "./conversation/conversation-view.ts";

/** What is pressed for what, as `/help` shows it. */
export const keys: Rows = [
  ["Enter", "send; while the agent works, it reads it before its next request"],
  ["Alt-Enter", "say it after the answer, as /later does"],
  ["Ctrl-J, Shift-Enter, \\ Enter", "a new line"],
  ["Esc", "take back what was not sent yet; else cancel the turn"],
  ["Ctrl-C", "cancel the turn, or clear the line; twice: leave"],
  ["Ctrl-D", "leave, where nothing is typed"],
  ["Ctrl-Z", "suspend; fg goes on"],
  ["Up, Down, Ctrl-R", "earlier prompts, and the search in them"],
  ["Ctrl-G", "write the prompt in $EDITOR"],
  ["Ctrl-O", "all of the output of the last call"],
  ["@path, Tab", "names a file; an image or a PDF is attached"],
  ["!command", "run it yourself, and show its output to the model with the next prompt; !! keeps it to yourself"],
];
