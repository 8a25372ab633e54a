import type { ToolCall } from "@cogency/protocol";
import { charactersPerToken } from "../tokens.ts";
import { filler } from "./filler.ts";

/**
 * `chat`: a person asks so many times; each turn is a run of two requests, one that ends in a call and one that answers.
 * `job`: a person asks once; one run of so many requests, all but the last of which end in a call.
 */
export type Kind = "chat" | "job";

/** What a person says, and what the model says to each request. */
export interface Script {
  readonly prompts: readonly string[];
  readonly steps: readonly Step[];
}

/** A thought, and then a call or, without one, the answer. */
export interface Step {
  readonly thought: string;
  readonly call?: ToolCall;
  readonly answer: string;
}

/** The sizes of its parts, in tokens. */
export interface Sizes {
  readonly prompt: number;
  readonly thought: number;
  readonly call: number;
  readonly result: number;
  readonly answer: number;
}

/** A chat reads something of half a page in each turn. A job has the sizes that the claim assumes: {@link claim}. */
export const sizes: Record<Kind, Sizes> = {
  chat: { prompt: 50, thought: 100, call: 25, result: 500, answer: 100 },
  job: { prompt: 50, thought: 200, call: 100, result: 300, answer: 100 },
};

/** The characters of the instructions; with the text protocol and its tools the system prompt has 1,500 tokens, as in the claim. */
export const instructionCharacters = 4_000;

export function scriptOf(kind: Kind, turns: number): Script {
  const size = sizes[kind];
  const prompts = Array.from({ length: kind === "chat" ? turns : 1 }, (_, turn) => text("prompt", turn, size.prompt));
  const calls = (step: number) => (kind === "chat" ? step % 2 === 0 : step < turns - 1);
  const steps = Array.from({ length: kind === "chat" ? 2 * turns : turns }, (_, step): Step => {
    const thought = text("thought", step, size.thought);
    const answer = text("answer", step, size.answer);
    return calls(step) ? { thought, answer, call: callOf(step, size.call) } : { thought, answer };
  });
  return { prompts, steps };
}

/** The result of the call of a file. */
export function resultOf(kind: Kind, file: string): string {
  return filler(`contents of ${file}`, sizes[kind].result * charactersPerToken);
}

/** A path as long as the call has to be. */
function callOf(step: number, tokens: number): ToolCall {
  const around = JSON.stringify({ name: "read", args: { file: "" } }).length;
  const file = filler(`src/module-${step}`, tokens * charactersPerToken - around).replaceAll(/[: ]/g, "-");
  return { name: "read", args: { file } };
}

const text = (name: string, index: number, tokens: number) => filler(`${name} ${index}`, tokens * charactersPerToken);
