import type { LogEvent, ToolSpec } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { vi } from "vitest";
import { type AgentOptions, createAgent, type RunResult } from "../../src/index.ts";
import { conversation } from "./fixtures.ts";

export const here = { conversation };
export const keyRing = createKeyRing(["a ring that several machines have in common"]);

/** A tool that a client brings, with two numbers. */
export const add: ToolSpec = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
};

/** Machines that share a store, each a new agent with a model that plays these steps. */
export function machines(options: Partial<AgentOptions> = {}, store: Store = memoryStore()) {
  const log = () => store.load(here);
  const machine = (steps: readonly ScriptedStep[] = [], more: Partial<AgentOptions> = {}) => {
    const provider = scripted(steps, { capabilities: { tools: true } });
    const warn = vi.fn<(message: string) => void>();
    const agent = createAgent({ provider, store, keyRing, warn, ...options, ...more });
    const goOn = (): Promise<RunResult> => agent.recover(here).result;
    return {
      agent,
      provider,
      warn,
      goOn,
      /** Sends a prompt with tools, and goes on with it. */
      async prompt(content: string, tools?: readonly ToolSpec[]) {
        await agent.send(here, { kind: "prompt", content, tools });
        return goOn();
      },
      async answer(question: string | undefined, content: object) {
        await agent.send(here, { kind: "answer", question: question ?? "", content: content as never });
        return goOn();
      },
    };
  };
  return { store, log, machine };
}

/** The data of the records of a kind. */
export function recordsOf(log: readonly LogEvent[], kind: string) {
  return log.flatMap((event) => (event.type === "record" && event.kind === kind ? [event.data as never] : []));
}
