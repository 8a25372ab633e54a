import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { runningText, secondsSince } from "../../person/turn/duration-text.ts";
import { checkName, showList } from "../../work/slash/named-things.ts";
import { type BackgroundAgent, interruptedAgents } from "../conversation/background-agents.ts";
import type { ChatSession } from "../conversation/chat-session.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/agent` and `/agents`. */
export const agentDefinitionCommands: readonly SlashCommand[] = [
  {
    name: "agent",
    argument: "<name> <prompt>",
    help: "tell the model to give work to an agent",
    complete: async ({ session }) => (await session.open()).agents.agents.map(({ name }) => name),
    async run(conversation, argument) {
      const [, name = "", prompt = ""] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
      const { agents } = (await conversation.session.open()).agents;
      if (agents.length === 0) throw new UsageError(noAgents);
      if (name === "") throw new UsageError("Which agent? /agent <name> <prompt>; /agents lists them.");
      const names = agents.map((agent) => agent.name);
      checkName("agent", name, names);
      if (prompt === "") throw new UsageError(`What is ${name} to do? /agent ${name} <prompt>`);
      conversation.submit(`Give this to the agent "${name}", with the tool agent:\n\n${prompt}`);
    },
  },
  {
    name: "agents",
    argument: "[stop <name>]",
    help: "the agents to which the model can give work, and those that work in the background; stop ends one of these",
    anytime: true,
    complete: ({ state }) => state.agents.map(({ name }) => `stop ${name}`),
    async run({ session, view, state }, argument) {
      const [, wanted] = /^(?:stop\s+(\S+))?$/.exec(argument) ?? [undefined, ""];
      if (wanted === "") throw new UsageError("Write /agents, or /agents stop <name>.");
      if (wanted !== undefined) return stop(wanted, state.agents, session, view);
      const { agents, problems } = (await session.open()).agents;
      if (agents.length === 0)
        return view.remark("There are no agents: --tools leaves out the tool that gives work to them.");
      const rows = agents.map(({ name, place, description, model }) => {
        const parts = [place, ...(model === undefined ? [] : [`model ${model}`]), description];
        return [name, oneLine(parts.join(" · "), 200)] as const;
      });
      showList(view, rows, problems, noAgents);
      for (const { name, startedAt } of state.agents)
        view.remark(`${oneLine(name, 60)} works in the background: ${runningText(secondsSince(startedAt))}.`);
      const interrupted = await interruptedAgents(await session.store(), session.conversation, state.agents);
      if (interrupted.length > 0)
        view.remark(
          `${counted(interrupted.length, "agent")} in the background ${interrupted.length === 1 ? "was" : "were"} interrupted with another process. Ask the model to go on with the work.`,
        );
    },
  },
];

const noAgents = "There are no agents: --tools leaves out the tool that gives work to them.";

/** @throws UsageError if no agent of that name works in the background */
async function stop(
  wanted: string,
  working: readonly BackgroundAgent[],
  session: ChatSession,
  view: ConversationView,
): Promise<void> {
  const found = working.filter(({ name }) => name === wanted);
  if (found.length === 0)
    throw new UsageError(`No agent ${oneLine(wanted, 60)} works in the background. /agents shows those that do.`);
  const { agent } = await session.open();
  for (const { conversation } of found) await agent.send({ conversation }, { kind: "cancel" });
  view.remark(`${oneLine(wanted, 60)} is being ended.`);
}
