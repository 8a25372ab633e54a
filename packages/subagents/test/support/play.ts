import { type AgentOptions, createAgent } from "@cogency/agent";
import type { LogEvent, ToolResult } from "@cogency/protocol";
import { parseResults } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool, type Tool } from "@cogency/tools";
import type { AgentDefinition } from "../../src/agent-definition.ts";
import { type SubagentsOptions, subagents } from "../../src/subagents.ts";

export const conversation = "c";
export const keyRing = createKeyRing(["a secret of the tests that is long enough"]);

/** The text of a block with calls. */
export const block = (...calls: [name: string, args?: object][]) =>
  `<execute>${JSON.stringify(calls.map(([name, args = {}]) => ({ name, args })))}</execute>`;

/** A call that gives work to an agent. */
export const give = (agent: string, prompt = "p", more: object = {}): [string, object] => [
  "agent",
  { agent, prompt, ...more },
];

export const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export const used = (chunks: string) => ({ chunks, usage });

/** A definition with the answers of its model. */
export function helper(
  name: string,
  answers: Parameters<typeof scripted>[0],
  more: Partial<AgentDefinition> = {},
): AgentDefinition & { provider: ReturnType<typeof scripted> } {
  return { name, description: `Is ${name}.`, instructions: `You are ${name}.`, ...more, provider: scripted(answers) };
}

/** A tool that says that it ran. */
export const tool = (name: string, more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: { type: "object", properties: { text: { type: "string" } } },
    execute: () => `${name} ran`,
    ...more,
  } as never);

export function agentOf(
  answers: Parameters<typeof scripted>[0],
  definitions: readonly AgentDefinition[],
  options: Partial<AgentOptions> & { subagents?: SubagentsOptions } = {},
) {
  const { subagents: own, ...others } = options;
  const provider = scripted(answers);
  const agent = createAgent({ provider, ...others } as AgentOptions).use(subagents(definitions, own));
  return { agent, provider };
}

/** The results of all calls in a conversation. */
export async function resultsIn(store: Store, of = conversation): Promise<ToolResult[]> {
  const log = await store.load({ conversation: of });
  return log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
}

/** The names of the conversations of the agents that a conversation has started. */
export async function childrenOf(store: Store, of = conversation): Promise<string[]> {
  const log: readonly LogEvent[] = await store.load({ conversation: of });
  const names = log.flatMap((event) =>
    event.type === "record" && event.kind === "child" ? event.data.conversation : [],
  );
  return [...new Set(names)];
}

/** The names of the tools in a request, as the text protocol lists them. */
export const offeredIn = (request: ModelRequest | undefined) =>
  [...(request?.system ?? "").matchAll(/^- (\w+): /gm)].map(([, name]) => name);
