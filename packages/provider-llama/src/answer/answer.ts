import { type ModelEvent, type ModelRequest, ProviderError } from "@cogency/provider";
import type { Token } from "node-llama-cpp";
import type { Engine } from "../engine/engine.ts";
import type { Lane } from "../engine/lanes.ts";
import type { Sampling } from "../options.ts";
import { makePrompt, type Prompt } from "../prompt/prompt.ts";
import { type Bound, bind } from "./bind.ts";
import { StopReader } from "./stop-reader.ts";
import { type Piece, ThoughtReader } from "./thought-reader.ts";
import { TokenDecoder } from "./token-decoder.ts";

/** Tokens of an answer, counted as it is made. */
export interface Counts {
  /** Tokens of the prompt that were read for this answer. */
  input: number;
  /** Tokens of the prompt that an earlier request had read. */
  cacheRead: number;
  output: number;
  /** Those of `output` that are a thought. */
  reasoning: number;
}

/**
 * Makes one answer, piece by piece. It ends soon after an abort: after the token, or the part of the prompt, that is being read.
 *
 * @param counts counts up from zero
 * @throws ProviderError `unsupported` for parts of a request that it cannot take, `bad_request` for a prompt that is too long
 */
export async function* answer(
  engine: Engine,
  request: ModelRequest,
  sampling: Sampling,
  counts: Counts,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const prompt = makePrompt(engine, request);
  const room = roomFor(engine, prompt);
  const bound = await bind(engine, request, prompt);
  if (bound.ignored) yield bound.ignored;
  const lane = await engine.lanes.take(prompt.tokens, signal).catch((error) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (!lane) return;
  let isWhole = false;
  try {
    const limit = Math.min(request.maxOutputTokens ?? Number.POSITIVE_INFINITY, room);
    const tokens = generate(engine, lane, prompt, { ...sampling, bound }, counts, signal);
    yield* read(engine, prompt, bound, tokens, { limit, stop: request.stop ?? [], counts, signal });
    isWhole = true;
  } finally {
    // What a failed evaluation left in the lane is not known. An answer that was left holds what it says.
    if (!isWhole && !signal.aborted) await lane.sequence.clearHistory().catch(() => {});
    lane.leave();
  }
}

function roomFor({ lanes }: Engine, { tokens }: Prompt): number {
  const room = lanes.contextSize - tokens.length;
  if (room > 0) return room;
  const message = `The prompt is too long: it has ${tokens.length} tokens, and the context of the model has ${lanes.contextSize}.`;
  throw new ProviderError("bad_request", message);
}

/** The tokens of the answer. */
async function* generate(
  { context }: Engine,
  { sequence }: Lane,
  { tokens }: Prompt,
  { bound, temperature, topK, topP, minP, seed }: Sampling & { bound: Bound },
  counts: Counts,
  signal: AbortSignal,
): AsyncGenerator<Token> {
  await sequence.adaptStateToTokens(tokens, false);
  // The last token is read in any case: the next one depends on what it gives.
  if (sequence.nextTokenIndex >= tokens.length) await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  counts.cacheRead = sequence.nextTokenIndex;
  const last = tokens.length - 1;
  while (sequence.nextTokenIndex < last) {
    if (signal.aborted) return;
    const from = sequence.nextTokenIndex;
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, Math.min(last, from + context.batchSize)));
    counts.input = sequence.nextTokenIndex - counts.cacheRead;
  }
  if (signal.aborted) return;
  counts.input = tokens.length - counts.cacheRead;
  yield* sequence.evaluate(tokens.slice(last), {
    temperature: temperature ?? 0.8,
    topK: topK ?? 40,
    topP: topP ?? 0.95,
    minP: minP ?? 0.05,
    seed: seed ?? Math.floor(Math.random() * 0xffff_ffff),
    ...(bound.state && { grammarEvaluationState: bound.state }),
  });
}

interface Reading {
  readonly limit: number;
  readonly stop: readonly string[];
  readonly counts: Counts;
  readonly signal: AbortSignal;
}

/** The events of an answer, from its tokens. */
async function* read(
  { model }: Engine,
  { tokens: before, ends, thought, isThinking }: Prompt,
  { state }: Bound,
  tokens: AsyncIterable<Token>,
  { limit, stop, counts, signal }: Reading,
): AsyncGenerator<ModelEvent> {
  const decoder = new TokenDecoder(model, before);
  // A language holds its own thoughts, and ends by itself: nothing in it is a mark of the template.
  const thoughts = thought && (!state || isThinking) ? new ThoughtReader(thought, isThinking) : undefined;
  const stops = new StopReader(state ? stop : [...stop, ...ends]);
  const pieces = (text: string): Piece[] => thoughts?.write(text) ?? (text === "" ? [] : [{ type: "text", text }]);
  let reason: "stop" | "length" = limit > 0 ? "stop" : "length";
  if (limit > 0) {
    for await (const token of tokens) {
      counts.output++;
      if (thoughts?.isThinking) counts.reasoning++;
      yield* stopped(pieces(decoder.write(token)), stops);
      if (stops.isOver) break;
      if (counts.output >= limit) {
        reason = "length";
        break;
      }
    }
  }
  // Without a token more, and yet not at its end.
  if (signal.aborted && reason === "stop" && !stops.isOver) return;
  if (!stops.isOver) {
    yield* stopped([...pieces(decoder.end()), ...(thoughts?.end() ?? [])], stops);
    const rest = stops.end();
    if (rest !== "") yield { type: "text", text: rest };
  }
  yield { type: "finish", reason };
}

function* stopped(pieces: readonly Piece[], stops: StopReader): Generator<ModelEvent> {
  for (const piece of pieces) {
    const text = piece.type === "text" ? stops.write(piece.text) : piece.text;
    if (text !== "") yield { type: piece.type, text };
  }
}
