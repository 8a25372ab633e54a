import { type Capabilities, estimateUsage, type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import {
  completeLimits,
  createAnswerMeter,
  createFetch,
  createGate,
  endOfAnswer,
  excerpt,
  keysFor,
  type Limits,
  parseBaseURL,
  readEvents,
  redactor,
  requireEncryption,
  statusError,
  type Timeouts,
  toProviderError,
} from "@cogency/provider/http";
import { type Chunk, conclude, initialState, reduce } from "./reduce.js";
import { toBody } from "./request.js";

export interface ParrotOptions {
  /** Defaults to `https://api.parrot.example`. */
  baseURL?: string | undefined;
  /** Defaults to the variable PARROT_API_KEY, for the parrot's own server. */
  apiKey?: string | undefined;
  /** Defaults to `parrot-1`. */
  model?: string | undefined;
  /** Allows the key over plain http to another machine. */
  allowInsecure?: boolean | undefined;
  timeouts?: Timeouts | undefined;
  limits?: Limits | undefined;
}

const home = "https://api.parrot.example";

export default function parrot(options: ParrotOptions = {}): Provider {
  const { baseURL = home, model = "parrot-1", allowInsecure, timeouts } = options;
  // The base must end in a slash; otherwise `say` would replace its last part.
  const url = new URL("say", parseBaseURL(`${baseURL.replace(/\/+$/, "")}/`));
  const { host } = url;
  const sources = { environment: process.env, variables: ["PARROT_API_KEY"], home: [home] };
  const [apiKey] = keysFor({ url, given: options.apiKey, ...sources }).keys;
  if (!apiKey) throw new ProviderError("missing_key", "No key. Set PARROT_API_KEY, or pass `apiKey` with `baseURL`.");
  requireEncryption(url, { secrets: [apiKey], allowInsecure });
  const limits = completeLimits(options.limits);
  const fetch = createFetch({ timeouts, limits });
  const redact = redactor([apiKey]);

  async function* stream(request: ModelRequest, { signal }: { signal?: AbortSignal | undefined } = {}) {
    const isAborted = () => signal?.aborted === true;
    const meter = createAnswerMeter(host, limits);
    let state = initialState;
    let responded = false;
    try {
      signal?.throwIfAborted();
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(toBody(request, model)),
        signal: signal ?? null,
      });
      if (!response.ok) throw await refused(response);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        throw new ProviderError("bad_response", `${host} sent no event stream. Check \`baseURL\`.`);
      }
      responded = true;
      const isComplete = () => state.done !== undefined;
      for await (const read of readEvents(response.body, { host, limits, signal, isComplete })) {
        if (isAborted()) break;
        const chunk = read as Chunk;
        if (chunk.type === "error")
          throw new ProviderError("server", `${host} failed: ${excerpt(chunk.message, redact)}`);
        if (chunk.type === "seal") meter.keep(chunk.seal);
        meter.holds("blocks", state.sealed.length);
        const [next, events] = reduce(state, chunk);
        meter.add(events);
        state = next;
        yield* events;
      }
    } catch (error) {
      const context = { host, wire: "the parrot's wire", responded, partial: state.text, redact };
      if (!isAborted()) throw toProviderError(error, context);
    }
    if (!isAborted() && !state.done) {
      throw new ProviderError("cut_stream", `${host} ended without \`done\`.`, { partial: redact(state.text) });
    }
    const spent = () => (responded ? estimateUsage(request, state.text + state.reasoning) : undefined);
    yield* endOfAnswer(state.done ? conclude(state, state.done) : [], isAborted, spent);
  }

  async function refused(response: Response): Promise<ProviderError> {
    const { status, headers } = response;
    return statusError({ host, status, headers, message: await response.text(), redact });
  }

  const capabilities: Capabilities = {
    tools: true,
    session: false,
    reasoning: true,
    format: true,
    attachments: ["image", "file"],
  };
  return { name: "parrot", model, capabilities, stream: createGate()(stream) };
}
