import type { JsonObject } from "@cogency/protocol";
import type { TurnLanguage } from "@cogency/protocol/grammar";
import { isProviderError } from "../errors.ts";
import type { IgnoredEvent, ModelEvent, ModelRequest, Provider, StreamOptions } from "../provider.ts";
import { refusesFormat } from "./format-refusals.ts";
import { withOptions } from "./with-options.ts";

/**
 * Fields of a wire, as in `ModelRequest.options`, that bind an answer to a language. Undefined if the wire has none for it. What the
 * caller set there itself is stronger.
 */
export type GrammarFields = (language: TurnLanguage) => JsonObject | undefined;

/**
 * Makes requests with the language of their answer, and without it if the server refuses that, which an `ignored` event tells. A
 * refusal is remembered for the model and the tools, once the server has accepted the request without. With tools of the wire, or a
 * format, an answer is bound already: such a request is made without its language.
 *
 * @returns wraps a `stream`, whose requests have no `grammar` then
 */
export function createGrammar(fieldsOf: GrammarFields): (stream: Provider["stream"]) => Provider["stream"] {
  const refused = new WeakMap<object, Set<string>>();
  return (stream) => (request, options) => {
    const { grammar, ...plain } = request;
    if (grammar === undefined || plain.format !== undefined || plain.tools?.length) return stream(plain, options);
    const { model = "" } = request;
    const models = refused.get(grammar.tools) ?? new Set();
    const fields = models.has(model) ? undefined : fieldsOf(grammar);
    const learn = () => refused.set(grammar.tools, models.add(model));
    return asked(stream, plain, { fields, learn, options });
  };
}

interface Asking {
  fields: JsonObject | undefined;
  learn(): void;
  options: StreamOptions | undefined;
}

async function* asked(
  stream: Provider["stream"],
  plain: ModelRequest,
  { fields, learn, options }: Asking,
): AsyncGenerator<ModelEvent> {
  if (fields) {
    let hasBegun = false;
    try {
      for await (const event of stream(withOptions(plain, fields), options)) {
        hasBegun ||= event.type !== "retry";
        yield event;
      }
      return;
    } catch (error) {
      if (hasBegun || options?.signal?.aborted || !isProviderError(error) || !refusesFormat(error)) throw error;
    }
  }
  let isTold = false;
  for await (const event of stream(plain, options)) {
    if (!isTold && event.type !== "retry") {
      isTold = true;
      if (event.type !== "finish") yield ignored;
    }
    // Not before the server has accepted a request: the words of a refusal may have been misunderstood.
    if (fields && event.type === "finish" && event.reason !== "aborted") learn();
    yield event;
  }
}

const ignored: IgnoredEvent = {
  type: "ignored",
  setting: "grammar",
  message: "The server does not bind the answer to the grammar of the protocol: it was asked without.",
};
