import type { SlashCommand } from "./slash-command.ts";

/** @param all the commands that it lists, itself among them */
export function help(all: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: "help",
    help: "what can be typed",
    anytime: true,
    run({ view }) {
      const commands = all().map(({ name, argument = "", help }) => [`/${name} ${argument}`.trim(), help] as const);
      view.list(commands);
      view.list(view.keys);
    },
  };
}
