import { hookName } from "@cogency/hook-programs";
import { oneLine } from "../../base/terminal/text.ts";
import { lastText, whenText } from "../../work/hooks/hook-text.ts";
import { lastOutcome } from "../../work/hooks/open-hooks.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/hooks` */
export const hooksCommand: SlashCommand = {
  name: "hooks",
  help: "your programs that are called while the agent works, and how their last calls ended",
  async run({ session, view }) {
    const { hooks } = (await session.open()).hooks;
    if (hooks.length === 0)
      return view.remark("There are no hooks here. To add one, use the key hooks of a configuration.");
    view.list(
      hooks.map(({ program, place }) => {
        const name = hookName(program);
        const parts = [place, whenText(program), lastText(lastOutcome(session.choice.root, program))];
        return [oneLine(name, 60), oneLine(parts.join(" · "), 300)];
      }),
    );
  },
};
