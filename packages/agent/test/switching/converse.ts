import type { Attachment, FinishReason, LogEvent } from "@cogency/protocol";
import type { ModelRequest, Provider } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, defineTool, type ToolHook, withAttachments } from "@cogency/tools";
import * as z from "zod";
import { createAgent, type RunOptions, type RunResult } from "../../src/index.ts";
import { eventsOf } from "../../src/testkit/reply-events.ts";
import { driverHarnesses } from "../support/driver-harnesses.ts";
import { broken, echo } from "../support/fixtures.ts";
import type { Answer, Eyes, Hands, Turn } from "./plan.ts";
import type { WireAnswer } from "./wire-answers.ts";
import { wireProvider } from "./wire-providers.ts";

/** A request of a conversation, as the driver made it, and whom it asked. */
interface Asked {
  driver: string;
  eyes: Eyes;
  request: ModelRequest;
  /** The driver asks once more in the same step; what it asks is not in the log. */
  isAgain: boolean;
}

export interface Conversation {
  asked: Asked[];
  /** How each run ended. */
  ended: { hands: Hands; result: RunResult }[];
  log: LogEvent[];
  /** What the test's own servers threw, which a run takes for a server that is down. */
  faults: unknown[];
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

const picture: Attachment = { kind: "image", mediaType: "image/png", data: "aGk=" };

const show = defineTool({
  name: "show",
  description: "Show a picture.",
  input: z.object({ caption: z.string() }),
  execute: ({ caption }) => withAttachments(caption, [picture]),
});

const rewriting: ToolHook = {
  name: "rewriting",
  beforeToolUse: ({ call }) => (call.name === "echo" ? { call: { args: { text: "something else" } } } : undefined),
};

/** Leads a conversation through the hands of its turns. */
export async function converse(turns: readonly Turn[]): Promise<Conversation> {
  const store = memoryStore();
  const told: Conversation = { asked: [], ended: [], log: [], faults: [] };
  for (const turn of turns) await take(turn, store, told);
  told.log = await store.load({ conversation });
  return told;
}

async function take(turn: Turn, store: Store, told: Conversation): Promise<void> {
  const { answers, approval, appends } = turn;
  const prompt = turn.hasPicture ? { text: turn.prompt, attachments: [picture] } : turn.prompt;
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
    told.ended.push({ hands, result });
    for (const { question } of result.waiting ?? []) {
      await agent.send({ conversation }, { kind: approval === "later yes" ? "approve" : "deny", question });
    }
    if (result.status === "completed" || result.status === "stopped") return;
  }
}

function agentOf(hands: Hands, { rewrites }: Turn, store: Store, left: Answer[], told: Conversation) {
  const harness = driverHarnesses[hands.driver]?.();
  if (!harness) throw new TypeError(`There is no harness of the driver ${hands.driver}.`);
  const driver = harness.driver({ callDeltas: hands.stream === "token" });
  /** The first requests of steps. */
  const begun = new WeakSet<ModelRequest>();
  const [provider, ...fallback] = hands.models.map((eyes) => seenBy(eyes, hands, begun, left, told));
  if (!provider) throw new TypeError("The hands have no model.");
  return createAgent({
    driver: {
      ...driver,
      begin(context) {
        const reading = driver.begin(context);
        begun.add(reading.request);
        return reading;
      },
    },
    provider,
    fallback,
    store,
    keyRing,
    instructions: "You help.",
    tools: [echo, broken, pay, show],
    execution: { hooks: rewrites ? [rewriting] : [] },
  });
}

function seenBy(
  eyes: Eyes,
  { driver }: Hands,
  begun: WeakSet<ModelRequest>,
  left: Answer[],
  told: Conversation,
): Provider {
  const { provider } = wireProvider(eyes.model, () => {
    try {
      return answerOf(left.shift(), driver, told.asked.length);
    } catch (fault) {
      told.faults.push(fault);
      throw fault;
    }
  });
  const { name, model, capabilities } = provider;
  return {
    name,
    model,
    capabilities: { ...capabilities, ...(!eyes.sees && { attachments: [] }) },
    stream(request, options) {
      told.asked.push({ driver, eyes, request: structuredClone(request), isAgain: !begun.has(request) });
      return provider.stream(request, options);
    },
  };
}

function answerOf(answer: Answer | undefined, driver: string, nth: number): WireAnswer {
  const { kind, reply } = answer ?? { kind: "whole", reply: { text: "That is all.", isOver: true } };
  const harness = driverHarnesses[driver]?.();
  const written = kind === "bad" && harness?.writeBadly ? harness.writeBadly(reply) : harness?.write(reply);
  const parts = eventsOf(written ?? "").filter(({ type }) => type !== "tool_call_delta");
  const calls = parts.some(({ type }) => type === "tool_call");
  const finish: FinishReason = kind === "limited" ? "length" : calls ? "tool_calls" : "stop";
  return { parts, finish, isCut: kind === "cut", isDown: kind === "down", nth };
}

/** The process dies after so many appends: the others are not stored. */
function dyingAfter(inner: Store, appends: number): Store {
  let made = 0;
  return {
    ...inner,
    append: (...given) => (made++ < appends ? inner.append(...given) : Promise.reject(new Error("The process died."))),
  };
}
