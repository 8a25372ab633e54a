import { hookName } from "@cogency/hook-programs";
import { oneLine } from "../../base/terminal/text.ts";
import { lastText, noHooks, whenText } from "../../work/hooks/hook-text.ts";
import { lastOutcome } from "../../work/hooks/open-hooks.ts";
import { showList } from "../../work/slash/named-things.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/hooks` */
export const hooksCommand: SlashCommand = {
  name: "hooks",
  help: "your programs that are called while the agent works, and how their last calls ended",
  async run({ session, view }) {
    const { hooks } = (await session.open()).hooks;
    const rows = hooks.map(({ program, place }) => {
      const name = hookName(program);
      const parts = [place, whenText(program), lastText(lastOutcome(session.choice.root, program))];
      return [oneLine(name, 60), oneLine(parts.join(" · "), 300)] as const;
    });
    showList(view, rows, [], noHooks);
  },
};
