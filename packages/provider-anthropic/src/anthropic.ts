import Anthropic from "@anthropic-ai/sdk";
import type { Stream } from "@anthropic-ai/sdk/core/streaming";
import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  rotateKeys,
  type StreamOptions,
} from "@cogency/provider";
import { apiKeys, createFetch, parseBaseURL, redactor, toProviderError } from "@cogency/provider/http";
import { providerName } from "./native.ts";
import type { AnthropicOptions } from "./options.ts";
import { conclude, initialState, pausedContent, reduce, resume, type State, textOf } from "./reduce.ts";
import { type RequestDefaults, toContinuation, toMessagesRequest } from "./request.ts";

const ownBaseURL = "https://api.anthropic.com";

/**
 * A provider for Anthropic's Messages API and for every server that speaks it.
 *
 * @throws ProviderError `missing_key` if the server is Anthropic's and there is no key, `bad_request` if `baseURL` is no
 * HTTP address or holds credentials
 * @throws RangeError if a timeout is not more than 0
 */
export function anthropic(options: AnthropicOptions = {}): Provider {
  const url = baseURLOf(options);
  const keys = keysOf(options);
  if (isOwn(url) && keys.length === 0) throw missingKey();
  const redact = redactor(secretsOf(url, keys, options));
  const make = (key: string) => createProvider(url, key, redact, options);
  return keys.length > 1 ? rotateKeys(keys, make) : make(keys[0] ?? "");
}

function baseURLOf({ baseURL }: AnthropicOptions): URL {
  if (baseURL !== undefined) return parseBaseURL(baseURL);
  return parseBaseURL(environment().ANTHROPIC_BASE_URL || ownBaseURL, "ANTHROPIC_BASE_URL");
}

function environment(): Readonly<Record<string, string | undefined>> {
  return globalThis.process?.env ?? {};
}

function keysOf({ apiKey }: AnthropicOptions): string[] {
  if (apiKey !== undefined) return [apiKey].flat().flatMap((key) => key.trim() || []);
  const keys = apiKeys(environment(), "ANTHROPIC_API_KEY");
  return keys.length > 0 ? keys : apiKeys(environment(), "ANTHROPIC_AUTH_TOKEN").slice(0, 1);
}

function isOwn({ hostname }: URL): boolean {
  return hostname === "api.anthropic.com";
}

function missingKey(): ProviderError {
  return new ProviderError(
    "missing_key",
    "No Anthropic API key. Set the environment variable ANTHROPIC_API_KEY or pass `apiKey`; for another server pass its `baseURL`.",
  );
}

function secretsOf(url: URL, keys: readonly string[], { headers = {} }: AnthropicOptions): string[] {
  // The SDK sends them by itself, one a line.
  const custom = (environment().ANTHROPIC_CUSTOM_HEADERS ?? "").split("\n").map((line) => line.replace(/^[^:]*:/, ""));
  return [...keys, ...Object.values(headers), ...custom.map((value) => value.trim()), ...url.searchParams.values()];
}

function createProvider(url: URL, key: string, redact: (text: string) => string, options: AnthropicOptions): Provider {
  const client = createClient(url, key, options);
  const { host } = url;
  const defaults: RequestDefaults = {
    model: options.model ?? "claude-sonnet-5-5",
    maxOutputTokens: options.maxOutputTokens,
    thinking: options.thinking,
    cacheControl: cacheControl(options.cache),
    takesTemperature: !isOwn(url),
  };

  function failed(error: unknown, state: State, responded: boolean): ProviderError {
    return toProviderError(error, { host, wire: "Messages", responded, partial: textOf(state), redact });
  }

  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };
    const first = toMessagesRequest(request, defaults);
    let body = first;
    let state = initialState;
    for (let resumed = 0; ; resumed++) {
      let response: Response | undefined;
      let isGiven = false;
      let grace: ReturnType<typeof setTimeout> | undefined;
      try {
        // Not `messages.create`, which writes warnings about models to the console.
        const answer = await client
          .post<Stream<unknown>>("/v1/messages", { body, stream: true, signal })
          .withResponse();
        response = answer.response;
        if (!response.body) throw incomplete(host, response, state);
        for await (const chunk of answer.data) {
          if (isAborted() || state.isDone) break;
          const [next, events] = reduce(state, chunk);
          state = next;
          isGiven = true;
          for (const event of events) yield event;
          isGiven = false;
          if (state.isDone) grace = setTimeout(() => answer.data.controller.abort(), graceful);
        }
      } catch (error) {
        // Whoever has an event and throws into the iteration throws what is theirs.
        if (isGiven) throw error;
        if (!isAborted() && !state.isDone) throw failed(error, state, response !== undefined);
      } finally {
        clearTimeout(grace);
      }
      if (isAborted()) break;
      if (!state.isDone) throw incomplete(host, response, state);
      const content = resumed < mostResumed ? pausedContent(state) : undefined;
      if (!content) break;
      body = toContinuation(first, content, state.container);
      state = resume(state);
    }
    yield* conclude(state, request, isAborted);
  }

  return {
    name: providerName,
    model: defaults.model,
    capabilities: { tools: true, session: false, reasoning: true, format: true },
    stream,
  };
}

/** How often an answer that the server pauses is made to go on. */
const mostResumed = 8;

/** Milliseconds for the body to end after its last event, as it does at once as a rule: then the connection can be used again. */
const graceful = 50;

function createClient(url: URL, key: string, { headers, betas = [], timeouts, fetch }: AnthropicOptions): Anthropic {
  return new Anthropic({
    baseURL: url.origin + url.pathname,
    defaultQuery: Object.fromEntries(url.searchParams),
    // Also an empty one: without any the SDK would look for one by itself.
    apiKey: key,
    defaultHeaders: {
      ...(key ? {} : { Authorization: null }),
      ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
      ...headers,
    },
    webhookKey: null,
    openTelemetry: false,
    maxRetries: 0,
    logLevel: "off",
    fetch: createFetch(timeouts, fetch),
    // As long as a timer can be: the limits are those of `createFetch`.
    timeout: 2 ** 31 - 1,
  });
}

function cacheControl(cache: AnthropicOptions["cache"] = true): Anthropic.CacheControlEphemeral | undefined {
  if (cache === false) return undefined;
  return { type: "ephemeral", ...(cache === true ? {} : { ttl: cache }) };
}

function incomplete(host: string, response: Response | undefined, state: State): ProviderError {
  const contentType = response?.headers.get("content-type") || "no content type";
  const told = response?.body ? contentType : "no body";
  if (state === initialState && !told.includes("text/event-stream")) {
    const message = `${host} answered with ${told} where an event stream was expected. Check \`baseURL\`; it ends before /v1.`;
    return new ProviderError("bad_response", message);
  }
  return new ProviderError("cut_stream", `${host} ended its answer before \`message_stop\`.`, {
    partial: textOf(state),
  });
}
