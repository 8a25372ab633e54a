import { abandonable } from "@cogency/async";
import { estimateUsage, type ModelRequest, type Provider } from "@cogency/provider";
import { endOfAnswer } from "@cogency/provider/http";
import type { ModelStream } from "../language-model.ts";
import { toCallOptions } from "../request/call-options.ts";
import { checkAddresses } from "../request/supported-urls.ts";
import { Answer } from "./answer.ts";
import { generatedText } from "./conclude.ts";
import type { ModelStreamSettings } from "./model-stream-settings.ts";
import { createPatience } from "./patience.ts";
import { readParts } from "./read-parts.ts";

/** `Provider.stream` over `doStream`, which keeps the contract of a provider whatever the model does. */
export function modelStream(settings: ModelStreamSettings): Provider["stream"] {
  const { name, timeouts } = settings;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const answer = new Answer(settings, request);
    // The model gets a signal of this request alone, so that it may leave listeners on it.
    const ending = new AbortController();
    const end = () => ending.abort();
    const asked = () => ask(settings, request, ending.signal);
    const parts = readParts(asked, ending.signal, (contentType) => answer.begin(contentType));
    const iterator = abandonable(parts, ending.signal, 0);
    const patience = createPatience(timeouts, name, end);
    signal?.addEventListener("abort", end);
    let isYielding = false;
    try {
      for (;;) {
        const { done, value } = await patience.wait(() => iterator.next());
        if (patience.error) throw patience.error;
        if (done || isAborted()) break;
        if (answer.state.finish) continue;
        for (const event of answer.take(value)) {
          isYielding = true;
          yield event;
          isYielding = false;
          if (isAborted()) break;
        }
        if (answer.state.finish) patience.complete();
      }
    } catch (error) {
      if (isYielding) throw error;
      // What fails after the finish, or after an abort, loses nothing.
      if (!isAborted() && !answer.state.finish) throw answer.failure(patience.error ?? error);
    } finally {
      signal?.removeEventListener("abort", end);
      patience.stop();
      end();
      await iterator.return?.();
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
