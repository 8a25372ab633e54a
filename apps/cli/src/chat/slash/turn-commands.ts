import { UsageError } from "../../base/errors/usage-error.ts";
import { counted } from "../../base/terminal/text.ts";
import { argumentLines } from "../../person/turn/argument-lines.ts";
import { fullOutputOf } from "../../person/turn/output-of.ts";
import { chatBudgetOf, limitRows } from "../../work/limits.ts";
import { usualCommandSeconds } from "../../work/open-tools.ts";
import { compactCommand, compactionText } from "../../work/slash/compact-command.ts";
import { usualCheckIn } from "../conversation/check-in.ts";
import type { SlashCommand } from "./slash-command.ts";

const checkIns = { "ask-after-steps": "askAfterSteps", "ask-after-minutes": "askAfterMinutes" } as const;
const budgetOptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(limitRows.map(({ name, option }) => [name, option])),
  ...checkIns,
  "command-seconds": "maxCommandSeconds",
};
const partAmounts: readonly string[] = ["cost", "seconds", "ask-after-minutes", "command-seconds"];

/** What goes into a turn and what comes out of it. In the order of the help. */
export const turnCommands: readonly SlashCommand[] = [
  {
    name: "attach",
    argument: "<path>",
    help: "attach a file to the next prompt; @main.ts in the prompt does the same",
    anytime: true,
    run(conversation, argument) {
      if (argument === "") throw new UsageError("Which file? /attach <path>");
      return conversation.attach(argument);
    },
  },
  {
    name: "show",
    argument: "[number]",
    help: "the whole output of the last call; /show 1: of the call before it",
    anytime: true,
    run({ outputs, view }, argument) {
      if (!/^\d{0,3}$/.test(argument)) throw new UsageError("/show takes a number: 1 is the call before the last one.");
      const call = outputs.call(Number(argument));
      if (!call) return view.remark("No such call has ended in this chat yet.");
      view.remark([call.name, ...argumentLines(call).map((line) => `  ${line}`)].join("\n"));
      view.text(fullOutputOf(call.result));
    },
  },
  {
    name: "copy",
    help: "copy the last answer to the clipboard, also over SSH if the terminal allows it (OSC 52)",
    anytime: true,
    run({ outputs, view }) {
      const { answer } = outputs;
      if (answer === "") return view.remark("The model has said nothing yet.");
      const size = counted(answer.split("\n").length, "line");
      if (view.copy(answer)) view.remark(`The last answer (${size}) was sent to the clipboard of the terminal.`);
      else
        view.remark("The last answer could not be copied: it is too long, or this chat has no clipboard.", "warning");
    },
  },
  {
    name: "thinking",
    argument: "[on|off]",
    help: "the last thoughts of the model; on: show its thoughts from now on",
    anytime: true,
    complete: () => ["on", "off"],
    run({ outputs, view }, argument) {
      switch (argument) {
        case "":
          return outputs.thoughts === ""
            ? view.remark("The model has not thought aloud yet.")
            : view.remark(outputs.thoughts);
        case "on":
          view.showThinking(true);
          return view.remark("Thoughts are shown from now on.");
        case "off":
          view.showThinking(false);
          return view.remark("Thoughts are one line from now on.");
        default:
          throw new UsageError("Write /thinking, /thinking on or /thinking off.");
      }
    },
  },
  {
    name: "later",
    argument: "<text>",
    help: "send it after the answer; it may be a slash command or a !command",
    anytime: true,
    run(conversation, argument) {
      if (argument === "") throw new UsageError("What shall be said? /later <text>");
      conversation.later(argument);
    },
  },
  {
    name: "unsend",
    help: "take back what was not sent yet",
    anytime: true,
    run(conversation) {
      const unsent = conversation.takeBack();
      if (unsent === undefined) conversation.view.remark("Everything was sent.");
      else conversation.view.giveBack(unsent);
    },
  },
  {
    name: "continue",
    help: "go on with a turn that was cancelled, failed, or waits for an answer",
    run: (conversation) => conversation.goOn(),
  },
  {
    name: "undo",
    argument: "[turn|call|undo]",
    help: "restore the files that the agent changed in its latest turn, or since a point; /undo <undo_…> takes an undo back",
    async run({ session, view }, argument) {
      const { undoFiles } = await import("../../work/undo/app-undo.ts");
      const store = await session.store();
      const { conversation, place } = session;
      const { access } = session.choice;
      const lines = await undoFiles({ conversation, store, place, access }, argument === "" ? undefined : argument);
      view.remark(lines.join("\n"));
    },
  },
  compactCommand,
  {
    name: "budget",
    argument: "[limit number]",
    help: "what the conversation has used, and the limits of a turn",
    complete: () => Object.keys(budgetOptions),
    async run(conversation, argument) {
      const { session, usage, view } = conversation;
      if (argument !== "") {
        const [, name = "", value] = /^([a-z-]+)\s+(\d{1,9}(?:\.\d{1,9})?)$/.exec(argument) ?? [];
        const option = Object.hasOwn(budgetOptions, name) ? budgetOptions[name] : undefined;
        const limit = Number(value);
        if (option === undefined || !(limit > 0) || (!partAmounts.includes(name) && !Number.isInteger(limit)))
          throw new UsageError(
            `Write /budget and one of ${Object.keys(budgetOptions).join(", ")} with a number above 0: /budget steps 40.`,
          );
        await session.change({ [option]: limit });
      }
      const { choice } = session;
      const { askAfterSteps = usualCheckIn.steps, askAfterMinutes = usualCheckIn.minutes } = choice;
      const limits = chatBudgetOf(choice);
      const rows = limitRows.map(({ name, unit, budget }) => {
        const limit = limits[budget] ?? Number.POSITIVE_INFINITY;
        return `  ${name}: ${limit === Number.POSITIVE_INFINITY ? "no limit" : `${limit} ${unit}`}`;
      });
      view.remark(
        [
          `used: ${usage.text()}, ${usage.contextText(conversation.state.window)}`,
          compactionText(conversation),
          `you are asked after ${askAfterSteps} steps or ${askAfterMinutes} minutes without a word (ask-after-steps, ask-after-minutes)`,
          `a command ends after 120 s, or what its call asks for, at most ${choice.maxCommandSeconds ?? usualCommandSeconds} s (command-seconds)`,
          "a turn ends at:",
          ...rows,
        ].join("\n"),
      );
    },
  },
];
