import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { problemLine } from "../../place/texts/find-texts.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/agent` and `/agents`. */
export const agentDefinitionCommands: readonly SlashCommand[] = [
  {
    name: "agent",
    argument: "<name> <prompt>",
    help: "tell the model to give work to an agent",
    complete: async ({ session }) => ((await session.open()).agents?.agents ?? []).map(({ name }) => name),
    async run(conversation, argument) {
      const [, name = "", prompt = ""] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
      const { agents } = await conversation.session.open();
      if (!agents) throw new UsageError("There are no agents: --tools leaves out the tool that gives work to them.");
      if (name === "") throw new UsageError("Which agent? /agent <name> <prompt>; /agents lists them.");
      const names = agents.agents.map((agent) => agent.name);
      if (!names.includes(name)) {
        const [nearest] = nearestNames(name, names);
        const advice = nearest === undefined ? "/agents lists those that there are." : `Did you mean ${nearest}?`;
        throw new UsageError(`There is no agent ${oneLine(name, 80)}. ${advice}`);
      }
      if (prompt === "") throw new UsageError(`What is ${name} to do? /agent ${name} <prompt>`);
      conversation.submit(`Give this to the agent "${name}", with the tool agent:\n\n${prompt}`);
    },
  },
  {
    name: "agents",
    help: "the agents to which the model can give work, and where each is from",
    async run({ session, view }) {
      const { agents } = await session.open();
      if (!agents) return view.remark("There are no agents: --tools leaves out the tool that gives work to them.");
      view.list(
        agents.agents.map(({ name, place, description, model }) => [
          name,
          oneLine([place, ...(model === undefined ? [] : [`model ${model}`]), description].join(" · "), 200),
        ]),
      );
      for (const problem of agents.problems) view.remark(`Left out: ${problemLine(problem)}`, "warning");
    },
  },
];
