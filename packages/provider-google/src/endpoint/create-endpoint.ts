import { completeLimits, createFetch, redactor, requireEncryption } from "@cogency/provider/http";
import type { GoogleOptions } from "../options.ts";
import type { Endpoint } from "./endpoint.ts";

export interface EndpointSettings extends Omit<GoogleOptions, "apiKey" | "baseURL"> {
  readonly url: URL;
  /** Empty if the server needs none. */
  readonly apiKey: string;
  /** Every configured key, including those of other endpoints: a server may know and quote them. */
  readonly keys: readonly string[];
  /** The environment variable whose key belongs to another server and is not sent. */
  readonly advice: string | undefined;
}

/**
 * @throws ProviderError `insecure` if a key would leave the machine without encryption
 * @throws RangeError if a timeout or a limit is not greater than 0
 */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  const { url, apiKey, advice, headers = {}, limits, timeouts, allowInsecure } = settings;
  const secrets = [...settings.keys, ...Object.values(headers), ...url.searchParams.values()];
  requireEncryption(url, { secrets, allowInsecure });
  const fetch = createFetch({ timeouts, limits, fetch: settings.fetch });
  return {
    url,
    limits: completeLimits(limits),
    defaults: { model: settings.model ?? "gemini-3.8-flash", thinking: settings.thinking },
    advice,
    ask: (model, body, signal) =>
      fetch(addressOf(url, model), {
        method: "POST",
        headers: { "content-type": "application/json", ...(apiKey ? { "x-goog-api-key": apiKey } : {}), ...headers },
        body: JSON.stringify(body),
        signal: signal ?? null,
      }),
    redact: redactor(secrets),
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
