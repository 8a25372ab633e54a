import { type ModelEvent, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createAgent, type RunOptions } from "../../src/index.ts";
import { type NativeDriverOptions, nativeDriver } from "../../src/native.ts";
import { broken, conversation, echo } from "./fixtures.ts";

export const capabilities = { tools: true };

/** The events of a native call. */
export function call(name: string, args: unknown, id = "toolu_1", index = 0): ModelEvent[] {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const half = Math.ceil(text.length / 2);
  return [
    { type: "tool_call_delta", index, id, name, arguments: text.slice(0, half) },
    { type: "tool_call_delta", index, arguments: text.slice(half) },
    { type: "tool_call", id, name, arguments: text },
  ];
}

export const said = (text: string): ModelEvent => ({ type: "text", text });
export const thought = (text: string): ModelEvent => ({ type: "reasoning", text });
export const stop: ModelEvent = { type: "finish", reason: "stop" };
export const called: ModelEvent = { type: "finish", reason: "tool_calls" };

/** An agent of the native driver, whose model plays these steps. */
export function agentOf(steps: ScriptedStep[], options: NativeDriverOptions = {}, store = memoryStore()) {
  const provider = scripted(steps, { capabilities });
  const agent = createAgent({ provider, tools: [echo, broken], store, driver: nativeDriver(options) });
  const run = (more: RunOptions = {}) => agent.run("go", { conversation, ...more });
  return { ...agent, provider, store, go: run };
}

/** What a model sends that calls `echo` and then answers. */
export const twoSteps: ScriptedStep[] = [
  { events: [thought("look"), said("Looking."), ...call("echo", { text: "a" }), called] },
  { events: [said("It says "), said("a. "), stop] },
];
