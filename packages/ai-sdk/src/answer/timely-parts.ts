import { abandonable } from "@cogency/async";
import type { CompleteTimeouts } from "@cogency/provider/http";
import type { ModelStream } from "../language-model.ts";
import type { Answer } from "./answer.ts";
import { createPatience } from "./patience.ts";
import { readParts } from "./read-parts.ts";

interface Timely {
  readonly name: string;
  readonly timeouts: CompleteTimeouts;
  /** The consumer's. Its abort ends the parts at once, whether the model stops or not. */
  readonly signal: AbortSignal | undefined;
  readonly answer: Pick<Answer, "begin" | "state">;
}

/**
 * The parts of a model's stream, within the limits of time. Whoever leaves cancels the stream.
 *
 * @param ask calls `doStream` with a signal of this request alone, so that the model may leave listeners on it
 * @throws ProviderError `timeout`; any error of the model, unchanged
 */
export async function* timelyParts(
  ask: (signal: AbortSignal) => PromiseLike<ModelStream>,
  { name, timeouts, signal, answer }: Timely,
): AsyncGenerator<unknown, void, undefined> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const parts = readParts(
    () => ask(ending.signal),
    ending.signal,
    (contentType) => answer.begin(contentType),
  );
  const iterator = abandonable(parts, ending.signal, 0);
  const isComplete = () => answer.state.finish !== undefined;
  const patience = createPatience({ timeouts, name, isComplete, expire: end });
  signal?.addEventListener("abort", end);
  try {
    for (;;) {
      const { done, value } = await patience.wait(() => iterator.next());
      if (done) break;
      yield value;
    }
  } catch (error) {
    // A model that is aborted rejects with an error of its own.
    throw patience.error ?? error;
  } finally {
    signal?.removeEventListener("abort", end);
    patience.stop();
    end();
    await iterator.return?.();
  }
  if (patience.error) throw patience.error;
}
