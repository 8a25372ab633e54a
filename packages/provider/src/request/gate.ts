import { isProviderError } from "../errors.ts";
import type { ModelEvent, ModelRequest, Provider, StreamOptions } from "../provider.ts";
import { answerFilter } from "./answer-filter.ts";
import { createFormatRefusals, type FormatRefusals, refusesFormat } from "./format-refusals.ts";
import { createGrammar, type GrammarFields } from "./grammar-fields.ts";
import { createThinking, type ThinkingWays } from "./thinking-ways.ts";
import { wireNames } from "./tool-names.ts";
import { wellFormed } from "./well-formed.ts";

type Stream = Provider["stream"];

/**
 * The gate that each request of a wire passes, on its way to the server and back.
 *
 * - What leaves is well-formed Unicode, whatever is in the log, and tools have names that servers accept.
 * - If the server refuses the format of the answer, or the schema in it, the request is made again without it. That is
 *   remembered for the model and the schema.
 * - A level of thinking becomes fields of the wire, and is left out if the server refuses it: see `createThinking`.
 * - The language of the answer becomes fields of the wire, and is left out if the server refuses it: see `createGrammar`.
 * - What comes back has the request's own names, and an answer to `format` is one to that schema instead of the one that the
 *   server got from `schemaFor`: without its wrapper, and without the nulls that stand for keys left out.
 *
 * @param waysOf how the wire asks for a level of thinking. Defaults to no way: each level is ignored
 * @param fieldsOf how the wire names a language. Defaults to no way: each is ignored
 * @returns wraps a `stream`; those that it wraps share what the server has refused
 */
export function createGate(
  waysOf: ThinkingWays = () => [],
  fieldsOf: GrammarFields = () => undefined,
): (stream: Stream) => Stream {
  const refusals = createFormatRefusals();
  const thinking = createThinking(waysOf);
  const grammar = createGrammar(fieldsOf);
  return (inner) => (given, options) => {
    const stream = grammar(thinking(inner));
    const request = wellFormed(given);
    const names = wireNames(request);
    if (!names && !request.format) return stream(request, options);
    return passed(stream, names?.request ?? request, { refusals, options, own: names?.own ?? ((event) => event) });
  };
}

interface Passage {
  refusals: FormatRefusals;
  options: StreamOptions | undefined;
  own(event: ModelEvent): ModelEvent;
}

async function* passed(
  stream: Stream,
  request: ModelRequest,
  { refusals, options, own }: Passage,
): AsyncGenerator<ModelEvent> {
  const filter = request.format && answerFilter(request.format);
  for await (const event of withOrWithoutFormat(stream, request, refusals, options)) {
    if (event.type !== "text") {
      // What the filter still holds stands before calls, and before the end of the answer.
      const isBeside = event.type === "reasoning" || event.type === "retry" || event.type === "ignored";
      const rest = isBeside ? undefined : filter?.end();
      if (rest) yield { type: "text", text: rest };
      yield own(event);
      continue;
    }
    const text = filter ? filter.write(event.text) : event.text;
    if (text !== "") yield { type: "text", text };
  }
}

async function* withOrWithoutFormat(
  stream: Stream,
  request: ModelRequest,
  refusals: FormatRefusals,
  options: StreamOptions | undefined,
): AsyncGenerator<ModelEvent> {
  const { format, ...free } = request;
  const { model = "" } = request;
  if (format === undefined || refusals.has(model, format)) return yield* stream(free, options);
  let hasBegun = false;
  try {
    for await (const event of stream(request, options)) {
      hasBegun = true;
      yield event;
    }
    return;
  } catch (error) {
    if (hasBegun || options?.signal?.aborted || !isProviderError(error) || !refusesFormat(error)) throw error;
  }
  for await (const event of stream(free, options)) {
    // Not before the server has accepted a request: the words of a refusal may have been misunderstood.
    if (event.type === "finish" && event.reason !== "aborted") refusals.add(model, format);
    yield event;
  }
}
