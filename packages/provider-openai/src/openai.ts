import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type StreamOptions,
} from "@cogency/provider";
import OpenAI from "openai";
import { parseBaseURL } from "./base-url.ts";
import { isChunk } from "./chunk.ts";
import type { OpenAIOptions } from "./options.ts";
import { redactor } from "./redact.ts";
import { conclude, initialState, reduce } from "./reduce.ts";
import { type RequestDefaults, toChatRequest } from "./request.ts";
import { toProviderError } from "./to-provider-error.ts";

const ownBaseURL = "https://api.openai.com/v1";

/**
 * A provider for OpenAI's Chat Completions and for every server that speaks them.
 *
 * @throws ProviderError `missing_key` if the server is OpenAI's and there is no key, `bad_request` if `baseURL` is no HTTP
 * address or holds credentials
 */
export function openai(options: OpenAIOptions = {}): Provider {
  const url = parseBaseURL(options.baseURL ?? (environment("OPENAI_BASE_URL") || ownBaseURL));
  const apiKey = options.apiKey ?? environment("OPENAI_API_KEY") ?? "";
  const isOpenAI = /(^|\.)api\.openai\.com$/.test(url.hostname);
  if (isOpenAI && apiKey.trim() === "") throw missingKey();

  const client = createClient(url, apiKey, options);
  const redact = redactor(secretsOf(url, apiKey, options));
  const defaults: RequestDefaults = {
    model: options.model ?? "gpt-5.5",
    limitField: isOpenAI ? "max_completion_tokens" : "max_tokens",
  };

  async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    let state = initialState;
    let responded = false;
    let contentType = "";
    try {
      const body = toChatRequest(request, defaults);
      const { data: chunks, response } = await client.chat.completions.create(body, { signal }).withResponse();
      responded = true;
      contentType = response.headers.get("content-type") ?? "";
      for await (const chunk of chunks) {
        if (signal?.aborted) break;
        if (!isChunk(chunk)) throw noChunk(url.host, state.text);
        const [next, events] = reduce(state, chunk);
        state = next;
        yield* events;
      }
    } catch (error) {
      // What fails after the server's own finish could only have told the usage.
      if (!signal?.aborted && state.finish === undefined) {
        throw toProviderError(error, { host: url.host, responded, partial: state.text, redact });
      }
    }
    if (signal?.aborted) yield { type: "finish", reason: "aborted" };
    else if (state.finish === undefined) throw incomplete(state === initialState, contentType, url.host, state.text);
    else yield* conclude(state);
  }

  return {
    name: "openai",
    model: defaults.model,
    capabilities: { tools: true, session: false, reasoning: true, format: true },
    stream,
  };
}

function environment(name: string): string | undefined {
  return globalThis.process?.env[name];
}

function missingKey(): ProviderError {
  return new ProviderError(
    "missing_key",
    "No OpenAI API key. Set the environment variable OPENAI_API_KEY or pass `apiKey`; for another server pass its `baseURL`.",
  );
}

function createClient(
  url: URL,
  apiKey: string,
  { headers, organization, fetch, timeout = defaultTimeout }: OpenAIOptions,
): OpenAI {
  return new OpenAI({
    baseURL: url.href,
    // The SDK insists on a key; without one the header is taken out again.
    apiKey: apiKey || "none",
    defaultHeaders: { ...(apiKey ? {} : { Authorization: null }), ...headers },
    adminAPIKey: null,
    organization: organization ?? null,
    project: null,
    maxRetries: 0,
    logLevel: "off",
    ...(fetch ? { fetch } : {}),
    timeout,
  });
}

/** What `fetch` of Node gives a server to begin its answer, too. */
const defaultTimeout = 300_000;

function secretsOf(url: URL, apiKey: string, { headers = {} }: OpenAIOptions): string[] {
  // A server may quote the query as it was sent, or as it was meant.
  const asSent = url.search.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [apiKey, ...Object.values(headers), ...url.searchParams.values(), ...asSent];
}

function noChunk(host: string, partial: string): ProviderError {
  const message = `${host} sent an event that is no piece of an answer: it does not speak Chat Completions.`;
  return new ProviderError("bad_response", message, { partial });
}

function incomplete(isEmpty: boolean, contentType: string, host: string, partial: string): ProviderError {
  if (isEmpty && !contentType.includes("text/event-stream")) {
    return new ProviderError(
      "bad_response",
      `${host} answered with ${contentType || "no content type"} where an event stream was expected. Check \`baseURL\`; it usually ends in /v1.`,
    );
  }
  return new ProviderError("cut_stream", `${host} ended its answer without saying why it finished.`, { partial });
}
