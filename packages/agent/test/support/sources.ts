import type { LogEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool, type Tool, type ToolDefinition, type ToolSource } from "@cogency/tools";
import { vi } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { conversation } from "./fixtures.ts";

type Definition = ToolDefinition<{ type: "object" }>;

/** A tool of a server, which says what it did; `ran` has the names of those that did. */
export function remote(name: string, more: Partial<Definition> = {}, ran: string[] = []): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: "object", properties: { title: { type: "string" } } } as never,
    definedBy: "https://mcp.example.com/mcp",
    execute: () => {
      ran.push(more.description ?? name);
      return `did ${name}`;
    },
    ...more,
  });
}

/** A source whose tools the test changes. */
export function changingSource(name = "github", ...first: Tool[]) {
  let tools: readonly Tool[] = first;
  let notes: readonly string[] = [];
  return {
    name,
    tools: vi.fn<ToolSource["tools"]>(() => tools),
    notes: () => notes,
    set(...next: Tool[]) {
      tools = next;
    },
    note(...next: string[]) {
      notes = next;
    },
  } satisfies ToolSource & Record<string, unknown>;
}

/** An agent with sources, whose model plays these steps. */
export function sourced(
  steps: readonly ScriptedStep[],
  sources: readonly ToolSource[],
  options: Partial<AgentOptions> = {},
  store: Store = memoryStore(),
) {
  const provider = scripted(steps, { capabilities: { tools: true, attachments: ["image"] } });
  const warn = vi.fn<(message: string) => void>();
  const agent = createAgent({ provider, store, sources, warn, ...options });
  const ask = (prompt = "go", more = {}) => agent.ask(prompt, { conversation, ...more });
  const log = () => store.load({ conversation });
  return { ...agent, agent, provider, store, warn, ask, log };
}

/** What the model was told beside the words of a person. */
export const noticesIn = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "user" && event.origin === "notice" ? [event.content] : []));

/** What the log says of the tools that the model knows. */
export const recordsIn = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "source_tools" ? [event.data] : []));
