import { estimateUsage, type ModelRequest, type Provider } from "@cogency/provider";
import { endOfAnswer } from "@cogency/provider/http";
import type { ModelStream } from "../language-model.ts";
import { toCallOptions } from "../request/call-options.ts";
import { checkAddresses } from "../request/supported-urls.ts";
import { Answer } from "./answer.ts";
import { generatedText } from "./conclude.ts";
import type { ModelStreamSettings } from "./model-stream-settings.ts";
import { timelyParts } from "./timely-parts.ts";

/** `Provider.stream` over `doStream`, which keeps the contract of a provider whatever the model does. */
export function modelStream(settings: ModelStreamSettings): Provider["stream"] {
  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const answer = new Answer(settings, request);
    const parts = timelyParts((own) => ask(settings, request, own), { ...settings, signal, answer });
    let isYielding = false;
    try {
      for await (const part of parts) {
        if (isAborted()) break;
        if (answer.state.finish) continue;
        for (const event of answer.take(part)) {
          isYielding = true;
          yield event;
          isYielding = false;
          if (isAborted()) break;
        }
      }
    } catch (error) {
      if (isYielding) throw error;
      // What fails after the finish, or after an abort, loses nothing.
      if (!isAborted() && !answer.state.finish) throw answer.failure(error);
    }
    const spent = () => estimateUsage(request, generatedText(answer.state));
    yield* endOfAnswer(isAborted() ? [] : answer.end(), isAborted, spent);
  };
}

async function ask(
  { name, modelOf }: ModelStreamSettings,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelStream> {
  const model = modelOf(request.model);
  await checkAddresses(model, request.messages);
  signal.throwIfAborted();
  return model.doStream(toCallOptions({ request, model, name, signal }));
}
