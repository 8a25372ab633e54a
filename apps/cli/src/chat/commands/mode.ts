import { UsageError } from "../../errors/usage-error.ts";
import { oneLine } from "../../terminal/text.ts";
import type { Mode } from "../conversation/conversation.ts";
import type { SessionChange } from "../conversation/session.ts";
import type { SlashCommand } from "./slash-command.ts";

const changes: Readonly<Record<Mode, SessionChange>> = {
  ask: { yes: undefined, deny: undefined },
  yes: { yes: true, deny: undefined },
  deny: { yes: undefined, deny: true },
};

const meanings: Readonly<Record<Mode, string>> = {
  ask: "calls that need permission ask",
  yes: "calls run without a question, unless something speaks against one",
  deny: "calls that would ask are denied",
};

const modes = Object.keys(changes) as Mode[];

export const mode: SlashCommand = {
  name: "mode",
  argument: "[ask|yes|deny]",
  help: "whether calls that need permission ask, run, or are denied",
  complete: () => modes,
  async run(conversation, argument) {
    const chosen = modes.find((name) => name === argument);
    if (chosen) await conversation.session.change(changes[chosen]);
    else if (argument !== "") throw new UsageError(`There is no mode ${oneLine(argument, 60)}: ${modes.join(", ")}.`);
    const now = conversation.state.mode;
    conversation.view.remark(`mode ${now}: ${meanings[now]}`);
  },
};
