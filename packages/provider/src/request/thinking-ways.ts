import type { JsonObject } from "@cogency/protocol";
import { isProviderError } from "../errors.ts";
import type { IgnoredEvent, ModelEvent, ModelRequest, Provider, StreamOptions } from "../provider.ts";
import { isSameJson } from "./same-json.ts";
import { withOptions } from "./with-options.ts";

/** Fields of a wire that stand for a level of thinking. */
export interface ThinkingWay {
  /** As in `ModelRequest.options`. What the caller set there itself is stronger. */
  readonly options: JsonObject;
  /** The level that the model is asked for in place of the one that was wanted, in the wire's own word. */
  readonly instead?: string;
}

/** The ways in which a wire may ask for the thinking that a request wants, the nearest first. None if it has none. */
export type ThinkingWays = (request: ModelRequest & Required<Pick<ModelRequest, "thinking">>) => readonly ThinkingWay[];

/**
 * Makes requests with the level of thinking that they want, in the first way that the server takes, and without one if it takes none:
 * a server says only by a refusal which levels a model knows. What is not asked for as it was wanted is told by an `ignored`
 * event. What a server has refused is remembered for the model, once it has accepted another way.
 *
 * @returns wraps a `stream`, whose requests have no `thinking` then
 */
export function createThinking(waysOf: ThinkingWays): (stream: Provider["stream"]) => Provider["stream"] {
  const refused = new Map<string, JsonObject[]>();
  return (stream) => (request, options) => {
    const { thinking, ...plain } = request;
    if (thinking === undefined) return stream(plain, options);
    const { model = "" } = request;
    const known = refused.get(model) ?? [];
    const ways = waysOf({ ...request, thinking }).filter((way) => !known.some((one) => isSameJson(one, way.options)));
    const learn = (found: readonly ThinkingWay[]) =>
      refused.set(model, [...known, ...found.map((way) => way.options)].slice(-mostKnown));
    return asked(stream, { ...plain, thinking }, { ways, learn, options });
  };
}

/** Far more than one model has ways. */
const mostKnown = 50;

interface Asking {
  ways: readonly ThinkingWay[];
  learn(refused: readonly ThinkingWay[]): void;
  options: StreamOptions | undefined;
}

async function* asked(
  stream: Provider["stream"],
  { thinking, ...plain }: ModelRequest & Required<Pick<ModelRequest, "thinking">>,
  { ways, learn, options }: Asking,
): AsyncGenerator<ModelEvent> {
  for (const [at, way] of [...ways, undefined].entries()) {
    const ignored = ignoredEvent(thinking, way);
    let hasBegun = false;
    try {
      for await (const event of stream(way ? withOptions(plain, way.options) : plain, options)) {
        if (!hasBegun && event.type !== "retry") {
          hasBegun = true;
          if (ignored && event.type !== "finish") yield ignored;
        }
        // Not before the server has accepted a request: the words of a refusal may have been misunderstood.
        if (event.type === "finish" && event.reason !== "aborted" && at > 0) learn(ways.slice(0, at));
        yield event;
      }
      return;
    } catch (error) {
      if (!way || hasBegun || options?.signal?.aborted || !refusesThinking(error)) throw error;
    }
  }
}

function ignoredEvent(level: string, way: ThinkingWay | undefined): IgnoredEvent | undefined {
  if (way && way.instead === undefined) return undefined;
  const asked = way ? `it was asked for "${way.instead}"` : "it was asked without one";
  return { type: "ignored", setting: "thinking", message: `The model takes no thinking "${level}": ${asked}.` };
}

/**
 * Whether a refusal may be about the level of thinking.
 *
 * - OpenAI, 400: `Unrecognized request argument supplied: reasoning_effort`, `Unsupported value: 'reasoning_effort' does not support
 *   'none' with this model`, `Unsupported parameter: 'reasoning.effort' is not supported with this model`
 * - Anthropic, 400: `adaptive thinking is not supported on this model`, `This model does not support the effort parameter`,
 *   `` `max_tokens` must be greater than `thinking.budget_tokens` ``
 * - Gemini, 400: `Thinking level is not supported for this model`, `Thinking budget is not supported for this model`
 * - Ollama, 400: `"qwen2" does not support thinking`, `invalid reasoning value`
 */
function refusesThinking(error: unknown): boolean {
  if (!isProviderError(error)) return false;
  const isRefusal = error.status === undefined ? error.code === "bad_request" : statuses.has(error.status);
  return isRefusal && /reasoning|think|effort/i.test(error.message);
}

const statuses: ReadonlySet<number> = new Set([400, 422, 501]);
