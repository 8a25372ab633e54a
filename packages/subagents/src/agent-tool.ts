import { type ChildDefinition, type ChildEnding, type ParentRun, parentRun } from "@cogency/agent/child";
import { type Content, defineTool, type Tool, type ToolContext } from "@cogency/tools";
import type { AgentDefinition } from "./agent-definition.ts";
import { Brought } from "./brought.ts";
import { describeAgents } from "./describe-agents.ts";
import { SubagentError } from "./errors.ts";
import type { Places } from "./places.ts";

interface AgentTools {
  agents: ReadonlyMap<string, AgentDefinition>;
  maxDepth: number;
  /** Whether there may be one more in the background. It counts from then on. */
  mayWait(context: ToolContext): boolean;
  /** For those that a conversation of a person has at work at one depth. */
  places: Places;
}

/** The tool that starts an agent. */
export function agentTool({ agents, maxDepth, mayWait, places }: AgentTools): Tool<"agent"> {
  const brought = new Brought();
  return defineTool({
    name: "agent",
    description: describeAgents([...agents.values()]),
    input: {
      type: "object",
      properties: {
        agent: { type: "string", enum: [...agents.keys()] },
        prompt: { type: "string", minLength: 1, description: "the whole of what it is to do, and what it has to know" },
        background: {
          type: "boolean",
          description: "true: do not wait for it; a message says when it is done, and agent_result gives its answer",
        },
      },
      required: ["agent", "prompt"],
      additionalProperties: false,
    },
    ...working,
    brings: (args) => brought.of(args, worstOf(agents.get(String(args.agent)))),
    async execute(args, context) {
      const run = runOf(context);
      const definition = agents.get(String(args.agent));
      if (!definition) throw unknown(String(args.agent), [...agents.keys()]);
      const depth = run.agents.length;
      if (depth >= maxDepth)
        throw new SubagentError(
          "too_deep",
          `An agent at depth ${depth} starts no other one: the greatest depth is ${maxDepth}. Do the work yourself.`,
        );
      const child = childOf(definition, run, depth + 1 < maxDepth);
      const prompt = String(args.prompt);
      if (args.background !== true) {
        const group = JSON.stringify([context.user, run.root, depth]);
        const ending = await places.within(group, context.signal, () => run.run(child, prompt));
        brought.set(args, contentOf(definition, ending));
        return resultOf(definition, ending);
      }
      if (depth > 0)
        throw new SubagentError("too_many", "An agent starts no other one in the background. Leave `background` out.");
      if (!mayWait(context))
        throw new SubagentError(
          "too_many",
          "Enough agents work in the background. Wait for one with `agent_result` first, or leave `background` out.",
        );
      const conversation = await run.runInBackground(child, prompt, (ending) => endOf(definition, ending));
      brought.set(args, []);
      return { agent: definition.name, conversation, status: "running" };
    },
  });
}

/** The tool that waits for an agent in the background. */
export function resultTool(agents: ReadonlyMap<string, AgentDefinition>, maxDepth: number): Tool<"agent_result"> {
  const brought = new Brought();
  return defineTool({
    name: "agent_result",
    description:
      "Wait for an agent that `agent` has started in the background, and read its answer. If it was interrupted, it goes on.",
    input: {
      type: "object",
      properties: { conversation: { type: "string", description: "as the result of `agent` has it" } },
      required: ["conversation"],
      additionalProperties: false,
    },
    ...working,
    brings: (args) => brought.of(args, worstCase("an agent")),
    async execute(args, context) {
      const run = runOf(context);
      const known = run.find(String(args.conversation));
      const definition = known && agents.get(known.agent);
      if (!known || !definition)
        throw new SubagentError(
          "agent_unknown",
          "No agent of that conversation works in the background. Give `conversation` as the result of `agent` has it.",
        );
      const child = childOf(definition, run, maxDepth > 1);
      const ending = await run.join(child, known, String(known.args.prompt ?? ""));
      brought.set(args, contentOf(definition, ending));
      return resultOf(definition, ending);
    },
  });
}

/** What both tools are: they change nothing themselves, and a second run of a call finds what the first one has begun. */
const working = {
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // What its agent does is judged there, call by call.
  approval: "allow",
  timeout: Number.POSITIVE_INFINITY,
  // Until its run has ended in order.
  grace: 400,
} as const;

function runOf(context: ToolContext): ParentRun {
  const run = parentRun(context);
  if (!run) throw new SubagentError("no_run", "The tool works in the run of an agent of @cogency/agent only.");
  return run;
}

function childOf(definition: AgentDefinition, { tools: all }: ParentRun, mayStart: boolean): ChildDefinition {
  const { name, instructions, tools = all, withoutTools = [], provider, driver, budget, holds } = definition;
  const has = new Set(tools);
  const without = new Set([...withoutTools, "agent_result", ...(mayStart ? [] : ["agent"])]);
  const own = all.filter((tool) => has.has(tool) && !without.has(tool));
  return { name, instructions, tools: own, provider, driver, budget, holds };
}

/** What the parent's model reads. */
function resultOf({ name }: AgentDefinition, { conversation, result, used }: ChildEnding): object {
  if (result.status === "failed") {
    const { error, text } = result;
    const wrote = text === "" ? "" : ` It had written: ${text}`;
    throw new SubagentError("agent_failed", `The agent ${name} failed: ${error.message}${wrote}`, { cause: error });
  }
  const { status, text, stop } = result;
  return {
    agent: name,
    conversation,
    status,
    text,
    ...(stop && { stop: { reason: stop.reason, message: stop.message } }),
    ...(used && { used }),
  };
}

/** Says that an agent in the background has ended. Nothing that it wrote stands there: it would count as the program's words. */
function endOf({ name }: AgentDefinition, { conversation, result: { status } }: ChildEnding): string {
  const how = status === "waiting" ? "waits for an answer to a question" : `has ended (${status})`;
  return `The agent ${name} (${conversation}) ${how}. Read its answer with \`agent_result\`.`;
}

/** Content that the agent has brought, with its name as the way that it came. */
function contentOf({ name }: AgentDefinition, { content }: ChildEnding): Content[] {
  return content.map(({ holds, source }) => ({ holds, source: `the agent ${name}: ${source}` }));
}

function worstOf(definition: AgentDefinition | undefined): readonly Content[] {
  const { name = "unknown", tools, holds = [] } = definition ?? {};
  return tools?.length === 0 ? holds : worstCase(`the agent ${name}`);
}

function worstCase(source: string): Content[] {
  return (["untrusted", "private"] as const).map((holds) => ({ holds, source }));
}

function unknown(name: string, names: readonly string[]): SubagentError {
  const listed = names.slice(0, 50).join(", ");
  return new SubagentError(
    "agent_unknown",
    `There is no agent ${JSON.stringify(name.slice(0, 80))}. There are: ${listed}.`,
  );
}
