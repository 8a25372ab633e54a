import { checkOptions } from "@cogency/protocol/options";
import { type Capabilities, type Provider, ProviderError, rotateKeys } from "@cogency/provider";
import { createGate, type KeysFound, keyAdvice, keysFor, missingKey, parseBaseURL } from "@cogency/provider/http";
import { createRefusals as createChatRefusals } from "./chat/refusals.ts";
import { chatStream } from "./chat/stream.ts";
import { createEndpoint } from "./endpoint/create-endpoint.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import type { Flavor } from "./flavor.ts";
import { type GrammarField, grammarFields } from "./grammar.ts";
import { type OpenAIOptions, type OpenAIWire, optionKinds } from "./options.ts";
import { commonFlavor, ownFlavor, type Preset, presets } from "./presets.ts";
import { realtimeConnect, realtimeStream } from "./realtime/stream.ts";
import { createRefusals as createResponsesRefusals } from "./responses/refusals.ts";
import { responsesStream } from "./responses/stream.ts";
import { chatThinking, responsesThinking } from "./thinking.ts";

const ownBaseURL = "https://api.openai.com/v1";

/**
 * A provider for OpenAI's models, and for every server that speaks one of OpenAI's wires.
 *
 * @throws ProviderError `missing_key` if the server needs a key and there is none; `bad_request` if `baseURL` is not an HTTP
 * address or holds credentials, if the preset does not exist, or if it needs a `model` and none is given; `insecure` if a
 * key would be sent to another machine over plain http
 * @throws TypeError for an unknown option and one of a wrong type, RangeError if a timeout or a limit is not greater than 0
 */
export function openai(options: OpenAIOptions = {}): Provider {
  checkOptions("openai", options, optionKinds);
  const preset = presetOf(options);
  const url = urlOf(options, preset);
  const isOwn = preset === undefined && /(^|\.)api\.openai\.com$/.test(url.hostname);
  const api = options.api ?? (isOwn ? "responses" : "chat");
  const found = keysOf(options, preset, url, isOwn);
  const { keys } = found;
  const settings = {
    ...options,
    url,
    keys,
    advice: keyAdvice(found),
    name: options.preset ?? (isOwn ? "openai" : "openai-compatible"),
    model: modelOf(options, preset, api),
    flavor: flavorOf(options, preset, isOwn),
  };
  const attachments = options.attachments ?? (isOwn ? ["image", "file"] : ["image"]);
  const make = providerOf(api, attachments, settings.flavor.grammar);
  const [first = ""] = keys;
  return keys.length > 1
    ? rotateKeys(keys, (apiKey) => make(createEndpoint({ ...settings, apiKey })))
    : make(createEndpoint({ ...settings, apiKey: first }));
}

function presetOf({ preset: name }: OpenAIOptions): Preset | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(presets, name)) return presets[name];
  const known = Object.keys(presets).join(", ");
  throw new ProviderError("bad_request", `There is no preset \`${name}\`. There are ${known}.`);
}

function urlOf({ baseURL }: OpenAIOptions, preset: Preset | undefined): URL {
  const given = baseURL ?? preset?.baseURL;
  if (given !== undefined) return parseBaseURL(given);
  return parseBaseURL(environment().OPENAI_BASE_URL || ownBaseURL, "OPENAI_BASE_URL");
}

function environment(): Readonly<Record<string, string | undefined>> {
  return globalThis.process?.env ?? {};
}

function keysOf({ apiKey }: OpenAIOptions, preset: Preset | undefined, url: URL, isOwn: boolean): KeysFound {
  const variable = preset ? preset.keyVariable : "OPENAI_API_KEY";
  const home = preset ? [preset.baseURL] : [isOwn ? url.origin : undefined, environment().OPENAI_BASE_URL];
  const variables = variable === undefined ? [] : [variable];
  const found = keysFor({ url, given: apiKey, environment: environment(), variables, home });
  const needsKey = isOwn || (preset?.keyVariable !== undefined && url.origin === new URL(preset.baseURL).origin);
  if (found.keys.length > 0 || !needsKey) return found;
  if (isOwn) throw missingKey("OpenAI", "OPENAI_API_KEY");
  throw new ProviderError("missing_key", `No API key. Set the environment variable ${variable} or pass \`apiKey\`.`);
}

function modelOf({ model, preset: name }: OpenAIOptions, preset: Preset | undefined, api: OpenAIWire): string {
  if (model !== undefined) return model;
  if (!preset) return api === "realtime" ? "gpt-realtime" : "gpt-5.5";
  if (preset.model !== undefined) return preset.model;
  throw new ProviderError(
    "bad_request",
    `No model. Pass \`model\`: with \`${name}\` it is one that you have loaded there.`,
  );
}

function flavorOf(
  { echoReasoning, thinkBlock, grammar }: OpenAIOptions,
  preset: Preset | undefined,
  isOwn: boolean,
): Flavor {
  return {
    ...(preset?.flavor ?? (isOwn ? ownFlavor : commonFlavor)),
    ...(echoReasoning !== undefined && { echoReasoning }),
    ...(thinkBlock !== undefined && { thinkBlock }),
    ...(grammar !== undefined && { grammar }),
  };
}

function providerOf(
  api: OpenAIWire,
  attachments: NonNullable<OpenAIOptions["attachments"]>,
  grammar: GrammarField,
): (endpoint: Endpoint) => Provider {
  const all: Capabilities = { tools: true, session: false, reasoning: true, thinking: true, format: true, attachments };
  // The keys share what the server has refused, so that it need not refuse once for each.
  const gate = api === "chat" ? createGate(chatThinking, grammarFields(grammar)) : createGate(responsesThinking);
  const [chat, responses] = [createChatRefusals(), createResponsesRefusals()];
  return (endpoint) => {
    const { name, model } = endpoint;
    switch (api) {
      case "chat":
        return {
          name,
          model,
          capabilities: { ...all, grammar: grammar !== "none" },
          stream: gate(chatStream(endpoint, chat)),
        };
      case "responses":
        return { name, model, capabilities: all, stream: gate(responsesStream(endpoint, responses)) };
      case "realtime":
        return {
          name,
          model,
          capabilities: { tools: false, session: true, reasoning: false, format: false },
          stream: realtimeStream(endpoint),
          connect: realtimeConnect(endpoint),
        };
      default:
        throw new ProviderError("bad_request", `There is no \`api\` ${api}. There are chat, responses and realtime.`);
    }
  };
}
