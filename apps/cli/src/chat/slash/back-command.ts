import type { LogEvent } from "@cogency/protocol";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { type Turn, turnsOf } from "../../work/undo/turns.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { shownPrompt, typedLine } from "../conversation/typed-part.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/back`: goes back before an earlier prompt, which can be changed then. What was, stays as the conversation that it is. */
export const backCommand: SlashCommand = {
  name: "back",
  argument: "[turn]",
  help: "change an earlier prompt and go on from there, in a fork; Esc twice does the same",
  async run(conversation, argument) {
    const { session, view } = conversation;
    const events = await (await session.store()).load({ conversation: session.conversation });
    const turns = turnsOf(events);
    if (turns.length === 0) return view.remark("Nothing was said yet.");
    const turn = argument === "" ? await chosenTurn(turns, conversation) : turnOf(argument, turns);
    if (turn === undefined) return view.remark("The conversation stays as it is.");
    const undoes = await undoesFiles(turn, conversation);
    if (undoes === undefined) return view.remark("The conversation and the files stay as they are.");
    await goBack(turn, undoes, events, conversation);
  },
};

function turnOf(argument: string, turns: readonly Turn[]): Turn {
  const turn = /^\d{1,6}$/.test(argument) ? turns[Number(argument) - 1] : undefined;
  if (turn) return turn;
  throw new UsageError(`/back takes the number of a turn, from 1 to ${turns.length}; alone, it lists them.`);
}

async function chosenTurn(turns: readonly Turn[], { view }: Conversation): Promise<Turn | undefined> {
  const width = String(turns.length).length;
  const rows = turns.map(
    ({ number, text, time }) =>
      `${String(number).padStart(width)}  ${oneLine(shownPrompt(text), 60) || "(no words)"} · ${when(time)}`,
  );
  const chosen = await view.choose({ title: "Which prompt do you want to change?", rows, at: turns.length - 1 });
  return chosen === undefined ? undefined : turns[chosen];
}

/** Whether the files go back, too, which the person is asked where any can; undefined if the person wants nothing of it. */
async function undoesFiles({ number }: Turn, { session, view }: Conversation): Promise<boolean | undefined> {
  const { conversation, place, choice } = session;
  if (place === ":memory:") return false;
  const { findPoint } = await import("../../work/undo/app-undo.ts");
  const of = { conversation, store: await session.store(), place, access: choice.access };
  const { restore } = (await findPoint(of, String(number))).plan;
  if (restore.length === 0) return false;
  const names = restore.slice(0, 3).map(({ file }) => oneLine(file, 40));
  const more = restore.length > names.length ? ` and ${restore.length - names.length} more` : "";
  const chosen = await view.choose({
    title: `Since then the agent has changed ${counted(restore.length, "file")}: ${names.join(", ")}${more}.`,
    rows: ["Leave the files as they are", "Undo these changes, too"],
  });
  return chosen === undefined ? undefined : chosen === 1;
}

async function goBack(
  { number, at, text }: Turn,
  undoes: boolean,
  events: readonly LogEvent[],
  conversation: Conversation,
): Promise<void> {
  const { session, view } = conversation;
  const { conversation: before, place, choice } = session;
  const { agent, commands } = await session.open();
  const store = await session.store();
  const fork = await agent.fork(before, { at });
  const lines: string[] = [];
  if (undoes) {
    const { findPoint, undoOf, undoTo } = await import("../../work/undo/app-undo.ts");
    const of = { conversation: before, store, place, access: choice.access };
    lines.push(...(await undoTo(of, await findPoint(of, String(number)))).lines);
    await undoOf(place).copy({ conversation: before }, { conversation: fork });
  } else {
    const { carryCopies } = await import("../../work/undo/carry-copies.ts");
    const problem = await carryCopies(before, fork, store, place);
    if (problem !== undefined) lines.push(problem);
  }
  await conversation.goTo(fork, { isShown: false });
  lines.push(`You are before turn ${number}. What followed is kept: /tree, or /resume ${oneLine(before, 100)}.`);
  view.remark(lines.join("\n"));
  const said = events[at];
  const attachments = said?.type === "user" ? (said.attachments ?? []) : [];
  view.giveBack(await typedLine(conversation.typedAgain(text, attachments), commands));
}
