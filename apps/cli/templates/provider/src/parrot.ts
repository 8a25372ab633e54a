import { type Capabilities, estimateUsage, type ModelRequest, type Provider } from "@cogency/provider";
import {
  type ConnectionOptions,
  createGate,
  httpEndpoint,
  keysFor,
  missingKey,
  parseBaseURL,
  reportedError,
  statusError,
  wireStream,
} from "@cogency/provider/http";
import { type Chunk, conclude, initialState, reduce, type State } from "./reduce.js";
import { toBody } from "./request.js";

/** With the options of every connection: `headers`, `timeouts`, `limits`, `allowInsecure`, `fetch`. */
export interface ParrotOptions extends ConnectionOptions {
  /** Defaults to `https://api.parrot.example`. */
  baseURL?: string | undefined;
  /** Defaults to the variable PARROT_API_KEY, for the parrot's own server. */
  apiKey?: string | undefined;
  /** Defaults to `parrot-1`. */
  model?: string | undefined;
}

const home = "https://api.parrot.example";

export default function parrot(options: ParrotOptions = {}): Provider {
  const { baseURL = home, model = "parrot-1" } = options;
  // The base must end in a slash; otherwise `say` would replace its last part.
  const url = new URL("say", parseBaseURL(`${baseURL.replace(/\/+$/, "")}/`));
  const sources = { environment: process.env, variables: ["PARROT_API_KEY"], home: [home] };
  const { keys } = keysFor({ url, given: options.apiKey, ...sources });
  const [apiKey] = keys;
  if (!apiKey) throw missingKey("Parrot", "PARROT_API_KEY");
  const endpoint = httpEndpoint({ ...options, url, keys });

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<Response> {
    const response = await endpoint.fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...options.headers },
      body: JSON.stringify(toBody(request, model)),
      signal,
    });
    if (response.ok) return response;
    const { status, headers } = response;
    throw statusError({ host: url.host, status, headers, message: await response.text(), redact: endpoint.redact });
  }

  const stream = wireStream<State>(endpoint, {
    name: "the parrot's wire",
    baseURL: "it ends before /say",
    lacks: "without `done`",
    begin: (request) => ({ state: initialState, ask: (signal) => ask(request, signal) }),
    reduce(state, read, meter) {
      const chunk = read as Chunk;
      if (chunk.type === "error") throw reportedError(chunk);
      // Counts what stands in no event, and costs a look at those before it.
      if (chunk.type === "seal") meter.keep(chunk.seal);
      meter.holds("blocks", state.sealed.length);
      return reduce(state, chunk);
    },
    isComplete: ({ done }) => done !== undefined,
    isEmpty: (state) => state === initialState,
    textOf: ({ text }) => text,
    conclude: (state) => (state.done ? conclude(state, state.done) : []),
    usageOfAborted: ({ text, reasoning }, request) => estimateUsage(request, text + reasoning),
  });

  // How much the model thinks, in the words of the wire.
  const gate = createGate(({ thinking }) => [{ options: { ponder: thinking } }]);
  const capabilities: Capabilities = {
    tools: true,
    session: false,
    reasoning: true,
    thinking: true,
    format: true,
    attachments: ["image", "file"],
  };
  return { name: "parrot", model, capabilities, stream: gate(stream) };
}
