import { checkOptions, having, required, whole } from "@cogency/protocol/options";
import { estimateUsage, generate, isProviderError, type ModelEvent, type ModelRequest } from "@cogency/provider";
import type { ToolContext } from "@cogency/tools";
import type { CreateMessageResult } from "@modelcontextprotocol/client";
import type { SamplingOptions } from "../mcp-options.ts";
import { askPerson } from "../questions/ask-person.ts";
import { quoted } from "../questions/quoted.ts";
import { readSampling } from "./read-sampling.ts";
import { tokenBudget } from "./token-budget.ts";

/** Who asks a model for text, and in which call. */
export interface Sampling {
  readonly server: string;
  /** Undefined where no call is in flight: then the request is refused. */
  readonly context: Pick<ToolContext, "ask" | "signal" | "conversation" | "user" | "state"> | undefined;
  readonly log: (text: string) => void;
}

/** The answer of a model, or the sentence that the server gets instead. */
type Sampled = { readonly result: CreateMessageResult } | { readonly refused: string };

/** Answers `sampling/createMessage` of all servers, within one budget. */
export interface Sampler {
  /**
   * Asks the person, and then the model.
   *
   * @param params as the server sent them
   * @throws ToolError `left` or `cancelled`: the call does not go on here
   */
  answer(params: unknown, sampling: Sampling): Promise<Sampled>;
}

/** @throws TypeError or RangeError that names the option */
export function createSampler(options: SamplingOptions): Sampler {
  checkOptions<SamplingOptions>("mcp: sampling", options, {
    provider: required(having("a provider", "stream")),
    maxTokens: whole(1),
    maxAnswerTokens: whole(1),
  });
  const { provider, maxTokens = 20_000, maxAnswerTokens = 2000 } = options;
  const budget = tokenBudget(maxTokens);

  async function answer(params: unknown, { server, context, log }: Sampling): Promise<Sampled> {
    const refused = (because: string): Sampled => {
      log(`A request for an answer of the model was refused: ${because}.`);
      return { refused: `The request was refused: ${because}.` };
    };
    if (!context) return refused("no call of the server is in flight");
    const reading = readSampling(params, provider.capabilities.attachments);
    if ("problem" in reading) return refused(reading.problem);
    const limit = Math.min(reading.wantedTokens ?? maxAnswerTokens, maxAnswerTokens);
    const input = estimateUsage(reading.request, "").input;
    if (input + limit > maxTokens) return refused(`it needs more than ${maxTokens} tokens`);
    const message = samplingQuestion(server, provider.model, reading.request, { input, limit });
    const asked = await askPerson(context, { message, schema: { type: "string", enum: ["allow", "deny"] } });
    if (!("answer" in asked) || asked.answer !== "allow") return refused("the person did not allow it");
    if (input + limit > budget.left(context)) return refused("the tokens that servers may use in this run are spent");
    const request = { ...reading.request, maxOutputTokens: limit };
    // Requests at one moment must not use the same tokens.
    budget.spend(context, input + limit);
    try {
      const events = await generate(provider, request, { signal: context.signal });
      context.signal.throwIfAborted();
      budget.spend(context, usedBy(request, events) - input - limit);
      return { result: resultOf(events, provider.model) };
    } catch (error) {
      if (context.signal.aborted) throw error;
      return refused(`the model gave no answer${isProviderError(error) ? ` (${error.code})` : ""}`);
    }
  }

  return { answer };
}

function samplingQuestion(
  server: string,
  model: string,
  { system, messages }: ModelRequest,
  { input, limit }: { input: number; limit: number },
): string {
  const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  const last = messages.at(-1);
  const content = last && "content" in last ? last.content : "";
  const parts =
    typeof content === "string" ? [content] : content.map((part) => ("text" in part ? part.text : "[image]"));
  return [
    `The server ${JSON.stringify(server)} asks the model ${model} for an answer, which you pay for and the server reads: ${count}, about ${input} tokens, and at most ${limit} tokens of answer.`,
    ...(system === "" ? [] : [`It instructs the model:\n${quoted(system, longestExcerpt)}`]),
    `The last message:\n${quoted(parts.join("\n"), longestExcerpt)}`,
  ].join("\n\n");
}

/** Characters. */
const longestExcerpt = 600;

function usedBy(request: ModelRequest, events: readonly ModelEvent[]): number {
  const counted = events.find((event) => event.type === "usage")?.usage;
  const written = events.map((event) => (event.type === "text" || event.type === "reasoning" ? event.text : ""));
  const { input, output, cacheRead, cacheWrite } = counted ?? estimateUsage(request, written.join(""));
  return input + output + cacheRead + cacheWrite;
}

function resultOf(events: readonly ModelEvent[], model: string): CreateMessageResult {
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const reason = events.find((event) => event.type === "finish")?.reason;
  const content = { type: "text" as const, text: text.replace(/^\s*<think>.*?<\/think>/s, "").trim() };
  return { role: "assistant", content, model, stopReason: reason === "length" ? "maxTokens" : "endTurn" };
}
