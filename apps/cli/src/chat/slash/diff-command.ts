import { UsageError } from "../../base/errors/usage-error.ts";
import { counted } from "../../base/terminal/text.ts";
import { type Changes, changeText, diffLinesOf } from "../../work/changes/changed-file.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Lines of a diff that are shown at once. */
const page = 150;

/** What is left of the last diff of a conversation. */
const left = new WeakMap<Conversation, readonly string[]>();

/** `/diff`: what the last turn has changed, or the files hold that the last commit does not. */
export const diffCommand: SlashCommand = {
  name: "diff",
  argument: "[turn|tree|more]",
  help: "the changes of the last turn in files; a number: all since that turn; tree: all since the last commit; more: the next page",
  anytime: true,
  complete: () => ["tree", "more"],
  async run(conversation, argument) {
    if (argument === "more") return showPage(conversation, left.get(conversation) ?? []);
    if (!/^(?:tree|\d{0,6})$/.test(argument))
      throw new UsageError("Write /diff, /diff and the number of a turn, /diff tree or /diff more.");
    show(await changesOf(conversation, argument), conversation);
  },
};

async function changesOf({ session }: Conversation, argument: string): Promise<Changes> {
  const { conversation, place, choice } = session;
  if (argument === "tree") return (await import("../../work/changes/tree-changes.ts")).treeChanges(choice.root);
  const { turnChanges } = await import("../../work/changes/turn-changes.ts");
  const of = { conversation, place, store: await session.store(), access: choice.access };
  return turnChanges(of, argument === "" ? undefined : argument);
}

function show({ since, files, notes }: Changes, conversation: Conversation): void {
  const { view } = conversation;
  if (files.length === 0) view.remark(`No file was changed ${since}.`);
  else {
    view.remark(`${counted(files.length, "file")} changed ${since}:`);
    view.list(files.map((file) => [file.file, changeText(file)]));
  }
  for (const note of notes) view.remark(note, "warning");
  if (files.length > 0) showPage(conversation, diffLinesOf(files));
}

function showPage(conversation: Conversation, lines: readonly string[]): void {
  const { view } = conversation;
  if (lines.length === 0) {
    view.remark("There is no more of it.");
    return;
  }
  // A line that says there is little more takes as much room as that.
  const end = lines.length > page + 10 ? page : lines.length;
  view.diff(lines.slice(0, end));
  left.set(conversation, lines.slice(end));
  if (end < lines.length) view.remark(`${counted(lines.length - end, "line")} more: /diff more`);
}
