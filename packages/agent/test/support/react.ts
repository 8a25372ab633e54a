import type { LogEvent, ModelMessage, RunEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import { createAgent, type RunOptions } from "../../src/index.ts";
import { type ReactDriverOptions, reactDriver } from "../../src/react.ts";
import { broken, conversation, echo } from "./fixtures.ts";

export const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
export const decide = (fields: object) => JSON.stringify(fields);
/** A decision to call a tool. */
export const act = (tool: string, args: unknown, thought = "look") =>
  decide({ thought, type: "call_tool", tool, args });
/** A decision to answer. */
export const answer = (text: unknown, thought = "done") => decide({ thought, type: "final_answer", answer: text });

export const calc = defineTool({
  name: "calc",
  description: "Add numbers.\nNothing else.",
  input: z.object({ a: z.number(), b: z.number(), note: z.record(z.string(), z.unknown()).optional() }),
  execute: ({ a, b }) => a + b,
});

/** An agent of the ReAct driver, with a model that writes three characters at a time, and what its runs told. */
export function agentOf(
  steps: ScriptedStep[],
  options: ReactDriverOptions = {},
  more: Partial<Parameters<typeof createAgent>[0]> = {},
) {
  const provider = scripted(steps, { chunkSize: 3 });
  const store = memoryStore();
  const heard: RunEvent[] = [];
  const agent = createAgent({
    provider,
    tools: [calc, echo, broken],
    store,
    driver: reactDriver(options),
    instructions: "You are terse.",
    ...more,
  });
  const go = (run: RunOptions = {}) => agent.run("go", { conversation, on: (event) => heard.push(event), ...run });
  const log = () => store.load({ conversation });
  const told = (...names: string[]) => heard.filter(({ type }) => names.includes(type));
  return { ...agent, provider, store, heard, told, go, log };
}

/** The contents of the events of one type. */
export const contents = (log: readonly LogEvent[], type: LogEvent["type"]) =>
  log.flatMap((event) => (event.type === type && "content" in event ? [event.content] : []));
/** Messages as `role: text`. */
export const texts = (messages: readonly ModelMessage[] = []) =>
  messages.map((message) => `${message.role}: ${"content" in message ? message.content : ""}`);
