import {
  createFetch,
  keysFor,
  parseBaseURL,
  redactor,
  requireEncryption,
  statusError,
  toProviderError,
} from "@cogency/provider/http";
import { messageOf } from "../../base/errors/message-of.ts";
import { keepSecret } from "../../base/errors/redacted.ts";
import { type ListWire, type ModelServer, modelServers, openAI } from "./known-servers.ts";

/** What a server says of its models. */
export type ServerModels =
  | { readonly server: string; readonly address: string; readonly models: readonly string[] }
  /** `unset`: no key is set, so the server was not asked. */
  | { readonly server: string; readonly address: string; readonly problem: string; readonly unset?: true };

/**
 * Asks a server for its models. A key goes to the host that it belongs to and to no other one. Never throws.
 *
 * @param timeout milliseconds that the server may take
 */
export async function modelsOf(
  server: ModelServer,
  timeout: number,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ServerModels> {
  const { name, home, addressVariable, keyVariables, wire } = server;
  const address = (addressVariable && environment[addressVariable]) || home;
  const found = { server: name, address };
  try {
    const base = parseBaseURL(address, addressVariable);
    const { keys, withheld } = keysFor({ url: base, environment, variables: keyVariables, home: [home] });
    const [key = ""] = keys;
    if (key === "" && keyVariables.length > 0 && address === home)
      return { ...found, problem: `no ${keyVariables[0]} is set`, unset: true };
    keepSecret(keys);
    requireEncryption(base, { secrets: keys });
    const advice = withheld && `${withheld} belongs to ${new URL(home).host} and was not sent.`;
    const models = await ask(new URL(wire.path, `${base.href.replace(/\/+$/, "")}/`), key, wire, timeout, advice);
    return { ...found, models };
  } catch (error) {
    return { ...found, problem: messageOf(error as Error) };
  }
}

/**
 * Asks the server at an address for its models.
 *
 * @param name the provider, whose wire the server speaks; Chat Completions unless it is known
 * @param timeout milliseconds that the server may take
 * @throws ProviderError, Error
 */
export function modelsAt(name: string, address: string, key: string, timeout: number): Promise<string[]> {
  const wire = modelServers.find((server) => server.name === name)?.wire ?? openAI;
  const base = parseBaseURL(address);
  return ask(new URL(wire.path, `${base.href.replace(/\/+$/, "")}/`), key, wire, timeout, undefined);
}

async function ask(
  url: URL,
  key: string,
  wire: ListWire,
  timeout: number,
  advice: string | undefined,
): Promise<string[]> {
  const { host } = url;
  const redact = redactor([key]);
  const fetch = createFetch({ timeouts: { total: timeout }, limits: { answerBytes: 10_000_000 } });
  try {
    const response = await fetch(url, { headers: key === "" ? {} : wire.headers(key) });
    const { status, headers } = response;
    if (!response.ok)
      throw statusError({ host, status, headers, message: messageIn(await response.text()), advice, redact });
    return wire.modelsIn(await response.json()).sort();
  } catch (error) {
    throw toProviderError(error, { host, wire: "a list of models", responded: false, partial: "", advice, redact });
  }
}

/** The words for a person in the body of a refusal: JSON in one of the shapes that servers send, or a text. */
function messageIn(body: string): string {
  try {
    const { error, message } = JSON.parse(body) ?? {};
    return [error?.message, message, error].find((text) => typeof text === "string") ?? body;
  } catch {
    return body;
  }
}
