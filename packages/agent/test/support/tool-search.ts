import { type LogEvent, parseResults } from "@cogency/protocol";
import { type ModelRequest, type ScriptedStep, scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { expect } from "vitest";
import { type AgentOptions, createAgent, type RunOptions } from "../../src/index.ts";
import { requestProblem } from "../../src/testkit/request-problem.ts";
import { toolSearch } from "../../src/tool-search.ts";
import { conversation } from "./fixtures.ts";
import { type Hand, manyTools, seeker } from "./many-tools.ts";

export const many = manyTools(300);

/** An agent of 300 tools, whose model plays these steps. */
export function agentOf(hand: Hand, steps: readonly ScriptedStep[], store: Store, more: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { capabilities: { tools: hand.wraps === true } });
  const given = { tools: many, toolSearch: toolSearch(), driver: hand.driver(), store };
  const agent = createAgent({ provider, ...given, instructions: "Be brief.", ...more });
  const ask = (prompt: string, run: RunOptions = {}) => agent.ask(prompt, { conversation, ...run });
  return { ...agent, provider, ask };
}

/** So many requests to a model that looks for a tool. */
export const seeking = (hand: Hand, query: string, name: string): ScriptedStep[] =>
  Array(3).fill(seeker(hand, query, name));

export const load = (store: Store) => store.load({ conversation });

export const announced = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "tools_found" ? [...event.data.names] : []));

export const notices = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "user" && event.origin === "notice" ? [event.content] : []));

export const calls = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "call" ? [JSON.parse(event.content)] : []));

export const results = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));

/** Each request is valid and begins with the one before: system prompt, tools and every setting are the same. */
export function expectOnePrefix(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    expect(requestProblem(request)).toBeUndefined();
    const before = requests[index - 1];
    if (!before) continue;
    const { messages, ...rest } = request;
    const { messages: earlier, ...others } = before;
    expect(rest).toEqual(others);
    expect(messages.slice(0, earlier.length)).toEqual(earlier);
  }
}
