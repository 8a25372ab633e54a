import { ProviderError } from "@cogency/provider";
import type { ModelStream } from "../language-model.ts";

/**
 * The parts of a model's stream. An abort of the signal ends them at once, and cancels the stream, also one that comes only then.
 *
 * @param ask calls `doStream`
 * @param answered gets the content type of the answer, if the model tells it
 * @throws ProviderError `bad_response` if the model gives no stream
 */
export async function* readParts(
  ask: () => PromiseLike<ModelStream>,
  signal: AbortSignal,
  answered: (contentType: string) => void,
): AsyncGenerator<unknown, void, undefined> {
  const result: Partial<ModelStream> | undefined = await ask();
  const stream = result?.stream;
  if (typeof stream?.getReader !== "function" || stream.locked) {
    throw new ProviderError("bad_response", "`doStream` of the model gave no `stream` that can be read.");
  }
  const { headers = {} } = result?.response ?? {};
  answered(String(Object.entries(headers).find(([header]) => header.toLowerCase() === "content-type")?.[1] ?? ""));
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  if (signal.aborted) return cancel();
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
