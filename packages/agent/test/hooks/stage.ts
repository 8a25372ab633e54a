import type { RunEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { type AgentHook, type AgentOptions, createAgent, type RunOptions } from "../../src/index.ts";
import { conversation } from "../support/fixtures.ts";

/** An agent with these hooks, whose model plays these steps. `effects` are those of its tools `act` and `other`. */
export function hooked(
  steps: readonly ScriptedStep[],
  hooks: readonly AgentHook[],
  options: Partial<AgentOptions> = {},
) {
  const effects: string[] = [];
  const acting = (name: string) =>
    defineTool({
      name,
      description: "Acts.",
      input: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
      execute: ({ what }) => {
        effects.push(`${name} ${what}`);
        return `did ${what}`;
      },
    });
  const provider = scripted(steps);
  const store = memoryStore();
  const agent = createAgent({ provider, tools: [acting("act"), acting("other")], store, hooks, ...options });
  const told: RunEvent[] = [];
  agent.on("*", (event) => void told.push(event));
  const go = (more: RunOptions = {}) => agent.ask("go", { conversation, ...more });
  const recover = (more: RunOptions = {}) => agent.recover({ ...more, conversation }).result;
  const log = () => store.load({ conversation });
  /** The events of one type that the run told. */
  const toldOf = <T extends RunEvent["type"]>(type: T) =>
    told.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
  return { ...agent, provider, store, effects, told, toldOf, go, recover, log };
}

/** A call of `act`, and the answer after it. */
export const callThenAnswer = ['<execute>[{"name":"act","args":{"what":"a"}}]</execute>', "Done.<end>"];

/** The points of the loop, each with a place in the run of `callThenAnswer`, or of a model that is down. */
export const loopPoints = [
  "beforeRun",
  "beforeStep",
  "beforeRequest",
  "afterResponse",
  "afterStep",
  "onStop",
  "onError",
  "afterRun",
] as const;

export type LoopPoint = (typeof loopPoints)[number];

/** A hook of one point. */
export function at(
  point: keyof AgentHook,
  method: (context: never) => unknown,
  rest: Partial<AgentHook> = {},
): AgentHook {
  return { name: `at ${point}`, ...rest, [point]: method };
}
