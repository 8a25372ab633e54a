import { UsageError } from "../../base/errors/usage-error.ts";
import { fullOutputOf } from "../turn/output-of.ts";
import type { SlashCommand } from "./slash-command.ts";

export const show: SlashCommand = {
  name: "show",
  argument: "[number]",
  help: "all of the output of the last call; /show 1 of the one before it",
  anytime: true,
  run({ outputs, view }, argument) {
    if (!/^\d{0,3}$/.test(argument)) throw new UsageError("/show takes a number: 1 is the call before the last one.");
    const call = outputs.call(Number(argument));
    if (!call) return view.remark("No such call has ended in this chat yet.");
    view.remark(`${call.name} ${JSON.stringify(call.args)}`);
    view.text(fullOutputOf(call.result));
  },
};
