import { checkOption, having, required } from "@cogency/protocol/options";
import type { ModelEvent, ModelRequest, Provider, Session, StreamOptions } from "@cogency/provider";
import { generate } from "@cogency/provider";
import { type Place, SharedPlaces, type SharedPlacesOptions } from "./shared-places.ts";

/**
 * Wraps a provider so that all processes with the same store have at most `limit` requests open at one time, such as those that share a
 * key. A request waits for its place; its time limit, if it has one, counts from then. Add retries
 * outside, `withRetry(limitedProvider(…))`: then a request gives its place back before it is tried again.
 *
 * @throws TypeError for an unknown option, a missing one, or one of a wrong type; RangeError for a number out of its range
 */
export function limitedProvider(provider: Provider, options: SharedPlacesOptions): Provider {
  checkOption("limitedProvider", "provider", provider, required(having("a provider", "stream")));
  const places = new SharedPlaces(options);
  const inPlace = <Options extends StreamOptions>(
    ask: (options: Options) => AsyncIterable<ModelEvent>,
    streamOptions: Options,
  ) => streamInPlace(places, ask, streamOptions);
  return {
    name: provider.name,
    model: provider.model,
    capabilities: provider.capabilities,
    stream: (request, streamOptions = {}) => inPlace((given) => provider.stream(request, given), streamOptions),
    generate: (request, streamOptions = {}) => generateInPlace(places, provider, request, streamOptions),
    ...(provider.connect && {
      async connect(request, connectOptions) {
        const session = (await provider.connect?.(request, connectOptions)) as Session;
        return {
          send: (text, sendOptions = {}) => inPlace((given) => session.send(text, given), sendOptions),
          close: () => session.close(),
        };
      },
    }),
  };
}

async function* streamInPlace<Options extends StreamOptions>(
  places: SharedPlaces,
  ask: (options: Options) => AsyncIterable<ModelEvent>,
  options: Options,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = options;
  const place = await taken(places, signal);
  if (!place) {
    yield aborted;
    return;
  }
  try {
    const both = signal ? AbortSignal.any([signal, place.lost]) : place.lost;
    for await (const event of ask({ ...options, signal: both })) {
      // The provider takes the loss for an abort by the caller.
      if (event.type === "finish" && event.reason === "aborted" && !signal?.aborted) place.lost.throwIfAborted();
      yield event;
    }
  } finally {
    await place.release();
  }
}

async function generateInPlace(
  places: SharedPlaces,
  provider: Provider,
  request: ModelRequest,
  { signal }: StreamOptions,
): Promise<ModelEvent[]> {
  const place = await taken(places, signal);
  if (!place) return [aborted];
  try {
    const both = signal ? AbortSignal.any([signal, place.lost]) : place.lost;
    const events = await generate(provider, request, { signal: both });
    if (!signal?.aborted) place.lost.throwIfAborted();
    return events;
  } finally {
    await place.release();
  }
}

/** Undefined if the signal aborts first. */
async function taken(places: SharedPlaces, signal: AbortSignal | undefined): Promise<Place | undefined> {
  try {
    return await places.take(signal);
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

const aborted: ModelEvent = { type: "finish", reason: "aborted" };
