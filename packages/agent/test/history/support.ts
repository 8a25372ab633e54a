import type { LogEvent, ModelMessage } from "@cogency/protocol";
import { estimateUsage, type ModelRequest, type ScriptedReply, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { type NativeDriverOptions, nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";
import { requestProblem } from "../../src/testkit/request-problem.ts";
import { block, conversation, echo } from "../support/fixtures.ts";
import { call, called, said, stop } from "../support/native.ts";
import { act, answer } from "../support/react.ts";

/** How a driver writes a call of `echo`, and an answer. */
export interface Speech {
  options: Pick<AgentOptions, "driver">;
  call(text: string): ScriptedReply;
  answer(text: string): ScriptedReply;
}

const native: NativeDriverOptions = {};

export const drivers: Record<string, Speech> = {
  protocol: {
    options: {},
    call: (text) => block(["echo", { text }]),
    answer: (text) => `${text}<end>`,
  },
  native: {
    options: { driver: nativeDriver(native) },
    call: (text) => ({ events: [said("I look."), ...call("echo", { text }), called] }),
    answer: (text) => ({ events: [said(text), stop] }),
  },
  react: {
    options: { driver: reactDriver() },
    call: (text) => act("echo", { text }),
    answer,
  },
};

/** Whether a request asks for a summary. */
export const isOfSummary = ({ system }: ModelRequest): boolean => system.startsWith("You write the summary");

export const textOf = ({ content }: ModelMessage & { role: "user" }): string =>
  typeof content === "string" ? content : JSON.stringify(content);

/** Why a request would be refused: it begins or ends with the assistant, or holds a call without its result. */
export function problemOf(request: ModelRequest): string | undefined {
  return request.messages[0]?.role === "user" ? requestProblem(request) : "It does not begin with the user.";
}

export const tokensOf = (request: ModelRequest): number => estimateUsage(request, "").input;

/** About as many tokens of text. */
export const words = (tokens: number): string => "word".repeat(tokens);

/** An agent whose model answers each request by these functions. */
export function talking(
  reply: (request: ModelRequest, at: number) => ScriptedReply,
  options: Partial<AgentOptions> = {},
  sum: (request: ModelRequest) => ScriptedReply = () => "They talked.",
) {
  let at = 0;
  const provider = scripted(
    Array(20_000).fill((request: ModelRequest) => (isOfSummary(request) ? sum(request) : reply(request, at++))),
    { capabilities: { tools: true } },
  );
  const store = options.store ?? memoryStore();
  const agent = createAgent({ provider, tools: [echo], store, ...options });
  const steps = () => provider.requests.filter((request) => !isOfSummary(request));
  const summaries = () => provider.requests.filter(isOfSummary);
  const log = (): Promise<LogEvent[]> => store.load({ conversation });
  return { ...agent, provider, store, steps, summaries, log };
}

/** The records of summaries in a log. */
export function summariesIn(log: readonly LogEvent[]) {
  return log.flatMap((event) => (event.type === "record" && event.kind === "summary" ? [event.data] : [])) as {
    upTo: number;
    text: string;
    window?: { tokens: number; model: string };
  }[];
}
