import type { FinishReason, LogEvent } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, defineTool, type ToolHook } from "@cogency/tools";
import * as z from "zod";
import { createAgent, type RunOptions, type RunResult } from "../../src/index.ts";
import { driverHarnesses } from "../support/driver-harnesses.ts";
import { broken, echo } from "../support/fixtures.ts";
import type { Answer, Hands, Turn } from "./plan.ts";
import type { WireAnswer } from "./wire-answers.ts";
import { wireProvider } from "./wire-providers.ts";

/** A request of a conversation, as the driver made it, and the hands that it went through. */
interface Asked {
  hands: Hands;
  request: ModelRequest;
}

export interface Conversation {
  asked: Asked[];
  /** How each run ended. */
  results: RunResult[];
  log: LogEvent[];
}

const conversation = "c";
const keyRing = createKeyRing(["a ring that all hands have in common"]);

const pay = defineTool({
  name: "pay",
  description: "Pay somebody.",
  input: z.object({ to: z.string() }),
  approval: "ask",
  execute: ({ to }) => `paid ${to}`,
});

const rewriting: ToolHook = {
  name: "rewriting",
  beforeToolUse: ({ call }) => (call.name === "echo" ? { call: { args: { text: "something else" } } } : undefined),
};

/** Leads a conversation through the hands of its turns. */
export async function converse(turns: readonly Turn[]): Promise<Conversation> {
  const store = memoryStore();
  const told: Conversation = { asked: [], results: [], log: [] };
  for (const turn of turns) await take(turn, store, told);
  told.log = await store.load({ conversation });
  return told;
}

async function take(turn: Turn, store: Store, told: Conversation): Promise<void> {
  const { prompt, answers, approval, appends } = turn;
  const left = [...answers];
  for (const [nth, hands] of turn.hands.entries()) {
    const isFirst = nth === 0;
    const dies = isFirst && appends !== undefined;
    const agent = agentOf(hands, turn, dies ? dyingAfter(store, appends) : store, left, told);
    const isAsked = approval === "yes" || approval === "no";
    const options: RunOptions & { conversation: string } = {
      conversation,
      stream: hands.stream,
      ...(isAsked && { approve: async () => approval === "yes" }),
    };
    const result = await (isFirst ? agent.run(prompt, options) : agent.recover(options)).result;
    told.results.push(result);
    for (const { question } of result.waiting ?? []) {
      await agent.send({ conversation }, { kind: approval === "later yes" ? "approve" : "deny", question });
    }
    if (result.status === "completed" || result.status === "stopped") return;
  }
}

function agentOf(hands: Hands, { rewrites }: Turn, store: Store, left: Answer[], told: Conversation) {
  const { driver, wire } = hands;
  const harness = driverHarnesses[driver]?.();
  if (!harness) throw new TypeError(`There is no harness of the driver ${driver}.`);
  const { provider } = wireProvider(wire, () => answerOf(left.shift(), hands, told.asked.length));
  return createAgent({
    driver: harness.driver({ callDeltas: hands.stream === "token" }),
    provider: {
      name: provider.name,
      model: provider.model,
      capabilities: provider.capabilities,
      stream(request, options) {
        told.asked.push({ hands, request: structuredClone(request) });
        return provider.stream(request, options);
      },
    },
    store,
    keyRing,
    instructions: "You help.",
    tools: [echo, broken, pay],
    execution: { hooks: rewrites ? [rewriting] : [] },
  });
}

function answerOf(answer: Answer | undefined, { driver }: Hands, nth: number): WireAnswer {
  const { kind, reply } = answer ?? { kind: "whole", reply: { text: "That is all.", isOver: true } };
  const harness = driverHarnesses[driver]?.();
  const written = kind === "bad" ? harness?.writeBadly(reply) : harness?.write(reply);
  const parts = partsOf(written);
  const calls = parts.some(({ type }) => type === "tool_call");
  const finish: FinishReason = kind === "limited" ? "length" : calls ? "tool_calls" : "stop";
  return { parts, finish, isCut: kind === "cut", nth };
}

/** The whole parts of an answer. */
function partsOf(written: unknown): ModelEvent[] {
  const events = Array.isArray(written)
    ? written.map((text: string): ModelEvent => ({ type: "text", text }))
    : (written as { events: ModelEvent[] }).events;
  return events.filter(({ type }) => type !== "tool_call_delta");
}

/** The process dies after so many appends: the others are not stored. */
function dyingAfter(inner: Store, appends: number): Store {
  let made = 0;
  return {
    ...inner,
    append: (...given) => (made++ < appends ? inner.append(...given) : Promise.reject(new Error("The process died."))),
  };
}
