import type { Agent } from "@cogency/agent";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import { inputsOf, mcpHost } from "../call-host.ts";
import type { McpOfferedAgent } from "../offer.ts";
import { spoken } from "../tools/spoken.ts";
import { agentTurn, type Turn } from "./agent-turn.ts";

/** Milliseconds. */
const usualTimeout = 600_000;

/** Offers an agent as a tool: a prompt gives its answer, and the name of the conversation, with which another call goes on. */
export function agentTool(given: McpOfferedAgent | Agent): Tool {
  const {
    agent,
    name = "ask_agent",
    description = usualDescription,
    timeout = usualTimeout,
  } = "agent" in given ? given : ({ agent: given } as McpOfferedAgent);
  return defineTool({
    name,
    description,
    input: {
      type: "object",
      properties: {
        prompt: {
          type: "string",
          description: "What the agent should do. Leave it out to go on after an interruption.",
        },
        conversation: { type: "string", description: "A conversation to go on with. Leave it out to begin one." },
      },
    },
    // The run has a limit of its own, which does not count the time of questions.
    timeout: Number.POSITIVE_INFINITY,
    grace: 400,
    approval: "allow",
    annotations: { openWorldHint: true },
    async execute({ prompt, conversation }: { prompt?: string; conversation?: string }, context: ToolContext) {
      const host = mcpHost(context);
      const inputs = host && inputsOf(host);
      const { user, signal } = context;
      const turn = { agent, user, signal, timeout, inputs, tell: (message: string) => context.progress({ message }) };
      return toldTurn(await agentTurn(turn, prompt, conversation));
    },
  });
}

const usualDescription =
  "Asks an agent, which works on the prompt with tools of its own and answers. The result names the conversation; give it to go on there.";

function toldTurn({ conversation, result }: Turn): object {
  const { status, text } = result;
  const value = { conversation, status, text };
  const goOn = `Call again with the conversation ${JSON.stringify(conversation)} and without a prompt to go on.`;
  switch (status) {
    case "completed":
      return spoken(value, text);
    case "waiting": {
      const names = result.waiting.map(({ name }) => name).join(", ");
      const asks = `The agent waits for answers of a person to its questions (${names}).`;
      return spoken({ ...value, waitsFor: result.waiting.length }, `${text}\n\n${asks} ${goOn}`.trim());
    }
    case "stopped":
      return spoken({ ...value, reason: result.stop.reason }, `${text}\n\n${result.stop.message} ${goOn}`.trim());
    case "failed":
      throw new Error(`The agent failed: ${result.error.message} ${goOn}`);
  }
}
