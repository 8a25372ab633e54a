import { abandonable } from "@cogency/async";
import { checkOptions } from "@cogency/protocol/options";
import {
  type Capabilities,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type Session,
  type StreamOptions,
  zeroUsage,
} from "@cogency/provider";
import { answer, type Counts } from "./answer/answer.ts";
import { samplingOf } from "./answer/sampling-of.ts";
import { Host } from "./engine/host.ts";
import { failureOf } from "./failure-of.ts";
import { type LlamaOptions, optionKinds } from "./options.ts";
import { openSession } from "./session.ts";

/** A provider whose model runs in this process. */
export interface LlamaProvider extends Provider {
  /**
   * Ends the requests that are under way as aborted ones, and gives back the memory of the model. Later requests fail. Without it the
   * model stays in memory until the process ends; it does not keep the process alive.
   */
  close(): Promise<void>;
}

/** Milliseconds that an aborted request may take for its last token, before it ends without it. */
const grace = 50;

/**
 * A model in a GGUF file, run in this process by llama.cpp. The file is read, and `node-llama-cpp` is imported, with the first request.
 *
 * @throws TypeError or RangeError if an option is wrong
 * @throws ProviderError from `stream`: `not_found` if there is no such file, `permission` if it cannot be read, `unsupported` if it is
 * no GGUF file, if the library does not load or if the request holds native tools or attachments, `bad_request` if the prompt is longer
 * than the context, `server` if the memory is too small
 */
export function llama(options: LlamaOptions): LlamaProvider {
  checkOptions<LlamaOptions>("llama", options, optionKinds);
  const host = new Host(options);
  const provider: LlamaProvider = {
    name: "llama",
    model: options.model,
    capabilities: capabilitiesOf(host),
    stream: (request, { signal }: StreamOptions = {}) => stream(host, options, request, signal),
    connect: async (request): Promise<Session> => openSession(provider, request),
    close: () => host.close(),
  };
  return provider;
}

function capabilitiesOf(host: Host): Capabilities {
  const capabilities = { tools: false, session: true, reasoning: true, format: true, grammar: true };
  // The size of the context may shrink when the model is loaded, and the file need not be read before somebody asks.
  return Object.defineProperty(capabilities, "contextWindow", { get: () => host.contextWindow, enumerable: true });
}

async function* stream(
  host: Host,
  options: LlamaOptions,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent> {
  const scope = host.scope(signal);
  const counts: Counts = { input: 0, cacheRead: 0, output: 0, reasoning: 0 };
  let partial = "";
  let finish: ModelEvent = { type: "finish", reason: "aborted" };
  try {
    const source = begin(host, options, request, counts, scope.signal);
    const events = abandonable(source, scope.signal, grace);
    try {
      while (!scope.signal.aborted) {
        const { done, value } = await events.next();
        if (done) break;
        if (value.type === "finish") finish = value;
        else yield value;
        if (value.type === "text") partial += value.text;
      }
    } finally {
      await events.return?.();
      // An answer that was abandoned goes on until its token is there; then it must end, for others wait for its place.
      void source.return(undefined).catch(() => {});
    }
  } catch (error) {
    if (!scope.signal.aborted) throw failureOf(error, partial);
  } finally {
    scope.leave();
  }
  const isAborted = scope.signal.aborted && finish.type === "finish" && finish.reason === "aborted";
  if (counts.input > 0)
    yield { type: "usage", usage: { ...zeroUsage, ...counts, ...(isAborted && { estimated: true }) } };
  yield finish;
}

async function* begin(
  host: Host,
  options: LlamaOptions,
  request: ModelRequest,
  counts: Counts,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  if (request.model !== undefined && request.model !== options.model) {
    const message = `This provider has the model ${options.model} alone, and the request names ${request.model}. Make a provider for it.`;
    throw new ProviderError("not_found", message);
  }
  const sampling = samplingOf(options, request);
  const engine = await host.engine();
  yield* answer(engine, request, sampling, counts, signal);
}
