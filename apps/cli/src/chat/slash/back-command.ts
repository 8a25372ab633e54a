import type { LogEvent } from "@cogency/protocol";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { shownPrompt } from "../../work/commands/typed-part.ts";
import { pointOf } from "../../work/points/point-of.ts";
import { type Turn, turnsOf } from "../../work/undo/turns.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { goToPoint, type PointOfChat, undoesFiles } from "./go-to-point.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/back`: goes back before an earlier prompt, which can be changed then. What was, stays as the conversation that it is. */
export const backCommand: SlashCommand = {
  name: "back",
  argument: "[turn|name]",
  help: "change an earlier prompt and go on from there, in a fork; Esc twice does the same",
  async run(conversation, argument) {
    const { session, view } = conversation;
    const events = await (await session.store()).load({ conversation: session.conversation });
    const turns = turnsOf(events);
    if (turns.length === 0) return view.remark("Nothing was said yet.");
    const at = argument === "" ? (await chosenTurn(turns, conversation))?.at : placeOf(argument, turns, events);
    if (at === undefined) return view.remark("The conversation stays as it is.");
    const point: PointOfChat = { conversation: session.conversation, at, name: `"${oneLine(argument, 60)}"` };
    const undoes = await undoesFiles(point, conversation);
    if (undoes === undefined) return view.remark("The conversation and the files stay as they are.");
    await goToPoint(point, undoes, conversation);
  },
};

function placeOf(argument: string, turns: readonly Turn[], events: readonly LogEvent[]): number {
  if (!/^\d+$/.test(argument)) return pointOf(argument, events, "/back");
  const turn = turns[Number(argument) - 1];
  if (turn) return turn.at;
  throw new UsageError(
    `/back takes the number of a turn, from 1 to ${turns.length}, or the name of a point; alone, it lists the turns.`,
  );
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
