import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { SessionChange } from "../conversation/chat-session.ts";
import type { Mode } from "../conversation/mode.ts";
import type { SlashCommand } from "./slash-command.ts";

const changes: Readonly<Record<Mode, SessionChange>> = {
  ask: { yes: undefined, deny: undefined, readOnly: undefined },
  yes: { yes: true, deny: undefined, readOnly: undefined },
  deny: { yes: undefined, deny: true, readOnly: undefined },
  "read-only": { readOnly: true },
};

const meanings: Readonly<Record<Mode, string>> = {
  ask: "calls that need permission ask",
  yes: "calls run without a question, unless something speaks against one",
  deny: "calls that would ask are denied",
  "read-only": "the model gets no tool that writes or runs something",
};

const modes = Object.keys(changes) as Mode[];

export const mode: SlashCommand = {
  name: "mode",
  argument: "[ask|yes|deny|read-only]",
  help: "whether calls that need permission ask, run, or are denied; read-only: look, change nothing",
  complete: () => modes,
  async run(conversation, argument) {
    const chosen = modes.find((name) => name === argument);
    if (chosen) await conversation.session.change(changes[chosen]);
    else if (argument !== "") throw new UsageError(`There is no mode ${oneLine(argument, 60)}: ${modes.join(", ")}.`);
    const now = conversation.state.mode;
    conversation.view.remark(`mode ${now}: ${meanings[now]}`);
  },
};
