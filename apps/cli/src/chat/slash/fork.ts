import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { carryCopies } from "../../work/undo/carry-copies.ts";
import type { SlashCommand } from "./slash-command.ts";

export const fork: SlashCommand = {
  name: "fork",
  argument: "[events]",
  help: "try another way: go on with a copy of the conversation, or of its first events",
  async run(conversation, argument) {
    if (argument !== "" && !/^\d+$/.test(argument)) throw new UsageError("/fork takes a number of events.");
    const { session, view } = conversation;
    const { agent } = await session.open();
    const before = session.conversation;
    const copy = await agent.fork(before, argument === "" ? {} : { at: Number(argument) });
    const problem = await carryCopies(before, copy, await session.store(), session.place);
    // A copy of all of it is what stands on the paper already.
    await conversation.goTo(copy, { isShown: argument !== "" });
    view.remark(`This is a copy. /resume ${oneLine(before, 100)} goes back.`);
    if (problem !== undefined) view.remark(problem);
  },
};
