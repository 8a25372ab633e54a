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

/** A server that lists its models. */
export interface ModelServer {
  readonly name: string;
  /** Where it is, unless a variable of the environment says otherwise. */
  readonly home: string;
  /** The variable with another address. */
  readonly addressVariable?: string;
  /** The variables that may hold its key; the first one is its alone. A server without one needs none. */
  readonly keyVariables: readonly string[];
  /** The names of its models that no other server has. */
  readonly models?: RegExp;
  readonly wire: ListWire;
}

/** How servers of one kind are asked for their models. */
interface ListWire {
  /** Below the address. */
  readonly path: string;
  headers(key: string): Record<string, string>;
  modelsIn(answer: unknown): string[];
}

const openAI: ListWire = {
  path: "models",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  modelsIn: (answer) => textsIn(answer, "data", "id"),
};

const anthropic: ListWire = {
  path: "v1/models?limit=1000",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  modelsIn: openAI.modelsIn,
};

const google: ListWire = {
  path: "v1beta/models?pageSize=1000",
  headers: (key) => ({ "x-goog-api-key": key }),
  modelsIn: (answer) => textsIn(answer, "models", "name").map((name) => name.replace(/^models\//, "")),
};

/** The servers that a run knows by name. */
export const modelServers: readonly ModelServer[] = [
  {
    name: "openai",
    home: "https://api.openai.com/v1",
    addressVariable: "OPENAI_BASE_URL",
    keyVariables: ["OPENAI_API_KEY"],
    models: /^(?:gpt(?!-oss)|chatgpt|o\d|codex|computer-use|ft:)/,
    wire: openAI,
  },
  {
    name: "anthropic",
    home: "https://api.anthropic.com",
    addressVariable: "ANTHROPIC_BASE_URL",
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    models: /^claude/,
    wire: anthropic,
  },
  {
    name: "google",
    home: "https://generativelanguage.googleapis.com",
    addressVariable: "GOOGLE_GEMINI_BASE_URL",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    models: /^gemini/,
    wire: google,
  },
  {
    name: "openrouter",
    home: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    wire: openAI,
  },
  {
    name: "deepseek",
    home: "https://api.deepseek.com/v1",
    keyVariables: ["DEEPSEEK_API_KEY"],
    models: /^deepseek-(?:chat|reasoner)$/,
    wire: openAI,
  },
  { name: "ollama", home: "http://localhost:11434/v1", keyVariables: [], wire: openAI },
  { name: "llama.cpp", home: "http://localhost:8080/v1", keyVariables: [], wire: openAI },
  { name: "vllm", home: "http://localhost:8000/v1", keyVariables: [], wire: openAI },
  { name: "lmstudio", home: "http://localhost:1234/v1", keyVariables: [], wire: openAI },
];

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

function textsIn(answer: unknown, list: string, field: string): string[] {
  const entries = (answer as Record<string, unknown> | null)?.[list];
  if (!Array.isArray(entries)) throw new Error(`the answer has no list "${list}".`);
  return entries.map((entry) => entry?.[field]).filter((text): text is string => typeof text === "string");
}
