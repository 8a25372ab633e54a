import { type EndpointSettings, type HttpEndpoint, httpEndpoint } from "@cogency/provider/http";
import type { GoogleOptions, GoogleThinking } from "./options.ts";

/** One server and one key, with the settings that the wire needs. */
export interface Endpoint extends HttpEndpoint {
  readonly defaults: RequestDefaults;
  /** Sends a request to `streamGenerateContent` of the model. Any status may come back. */
  ask(model: string, body: object, signal: AbortSignal): Promise<Response>;
}

/** The settings that a request is built with. */
export interface RequestDefaults {
  /** For requests that name no model. */
  model: string;
  thinking?: GoogleThinking | undefined;
}

interface Settings extends EndpointSettings, Pick<GoogleOptions, "model" | "thinking"> {
  /** Empty if the server needs none. */
  apiKey: string;
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: Settings): Endpoint {
  const { url, apiKey, headers, model = "gemini-3.8-flash", thinking } = settings;
  const endpoint = httpEndpoint(settings);
  return {
    ...endpoint,
    defaults: { model, thinking },
    ask: (model, body, signal) =>
      endpoint.fetch(addressOf(url, model), {
        method: "POST",
        headers: { "content-type": "application/json", ...(apiKey ? { "x-goog-api-key": apiKey } : {}), ...headers },
        body: JSON.stringify(body),
        signal,
      }),
  };
}

function addressOf(base: URL, model: string): URL {
  const address = new URL(base);
  address.pathname = `${base.pathname.replace(/\/+$/, "")}/v1beta/${resourceOf(model)}:streamGenerateContent`;
  // Without this the server sends one JSON array.
  address.searchParams.set("alt", "sse");
  return address;
}

/** `models/…`, unless the name says where the model is, as `tunedModels/…` does. */
function resourceOf(model: string): string {
  const [, folder = "models", name = model] = /^(models|tunedModels)\/(.*)$/s.exec(model) ?? [];
  return `${folder}/${encodeURIComponent(name.toWellFormed())}`;
}
