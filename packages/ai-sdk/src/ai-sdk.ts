import { checkOptions } from "@cogency/protocol/options";
import { type Provider, ProviderError } from "@cogency/provider";
import { completeLimits, completeTimeouts, createGate, redactor } from "@cogency/provider/http";
import { modelStream } from "./answer/model-stream.ts";
import type { LanguageModel } from "./language-model.ts";
import { type AiSdkOptions, optionKinds } from "./options.ts";
import { thinkingWays } from "./request/thinking.ts";

/**
 * A provider of any language model of the AI SDK. Nothing of the AI SDK is imported: the model is yours, with its key, its address and its
 * middleware. Its `doStream` makes one request, and nothing is retried.
 *
 * @throws TypeError for an unknown option, one of a wrong type, and a model of another specification than v4, v3 and v2; RangeError if a
 * timeout or a limit is not greater than 0
 */
export function aiSdk(options: AiSdkOptions): Provider {
  checkOptions("aiSdk", options, optionKinds);
  const { model, models, attachments = ["image", "file"], contextWindow, secrets = [] } = options;
  const { specificationVersion: version, provider, modelId } = model;
  checkVersion(version);
  const name = options.name ?? `ai-sdk:${provider}`;
  const hasLevels = version === "v4" || options.thinking !== undefined;
  const gate = createGate(hasLevels ? thinkingWays(options) : undefined);
  const stream = modelStream({
    name,
    modelOf: (id) => (id === undefined || id === modelId ? model : otherModel(id, { model, models })),
    timeouts: completeTimeouts(options.timeouts),
    limits: completeLimits(options.limits),
    redact: redactor(secrets),
  });
  return {
    name,
    model: modelId,
    capabilities: {
      tools: true,
      session: false,
      reasoning: true,
      thinking: hasLevels,
      format: true,
      attachments,
      ...(contextWindow !== undefined && { contextWindow }),
    },
    stream: gate(stream),
  };
}

function checkVersion(version: unknown): void {
  if (version === "v4" || version === "v3" || version === "v2") return;
  const given = typeof version === "string" ? `"${version.slice(0, 20)}"` : typeof version;
  throw new TypeError(`aiSdk: \`model\` is of specification ${given}; give a model of specification v4, v3 or v2.`);
}

/** @throws ProviderError `unsupported` if there is no such model */
function otherModel(id: string, { model, models }: Pick<AiSdkOptions, "model" | "models">): LanguageModel {
  if (!models) {
    const message = `aiSdk() was given the model "${model.modelId}", and the request asks for "${id}". Pass \`models\`, such as the provider of the AI SDK.`;
    throw new ProviderError("unsupported", message);
  }
  const other = models(id);
  if (typeof other?.doStream === "function" && other.specificationVersion === model.specificationVersion) return other;
  const message = `\`models\` of aiSdk() made of "${id}" no language model of specification ${model.specificationVersion}, which \`model\` is.`;
  throw new ProviderError("unsupported", message);
}
