import { ProviderError } from "../errors.ts";
import { generate } from "../generate.ts";
import { redactor } from "../http/access/redactor.ts";
import type { ConnectOptions, ModelRequest, Provider } from "../provider.ts";
import { callAgain, type Decide, generateAgain, streamAgain } from "../retry/start-again.ts";
import { createKeyRing, type KeyRingOptions } from "./key-ring.ts";
import { type KeyedSession, rotatingSession } from "./rotating-session.ts";

export interface RotateKeysOptions extends KeyRingOptions {}

/**
 * One provider over several API keys. A request that is refused with `rate_limit` before anything came of it is made
 * again with the next key, at once, which a `retry` event tells. The refused key rests for as long as the server says;
 * the next request begins with the key that was used last.
 *
 * When every key rests, the error of the one that is back first is thrown without asking the server, with `retryAfter`
 * until then: `withRetry` around it waits for just that. Keys are told apart by their numbers.
 *
 * A session stays with its key until that one is limited; then it is opened anew with the next one, with all that was
 * said. With one key there is nothing to rotate, and the provider is as `make` gives it.
 *
 * @param keys such as `apiKeys` of `@cogency/provider/http` finds; one that is there twice counts once
 * @param make makes the provider of a key: of the first one now, of each other when it is first needed
 * @throws ProviderError `missing_key` if there is no key, or an empty one
 * @throws RangeError if a time is less than 0
 */
export function rotateKeys(
  keys: readonly string[],
  make: (key: string) => Provider,
  options: RotateKeysOptions = {},
): Provider {
  const different = differentKeys(keys);
  const ring = createKeyRing(different, options);
  const redact = redactor(different);
  const made = new Map<number, Provider>();
  const first = providerOf(0);
  if (different.length === 1) return first;

  function providerOf(index: number): Provider {
    const provider = made.get(index) ?? make(different[index] ?? "");
    made.set(index, provider);
    return provider;
  }

  /** One request, which tries each key once at most, and first the one that is preferred. */
  function begin(preferred?: number): { next(): number; decide: Decide } {
    const tried = new Set<number>();
    let index = 0;
    return {
      next() {
        const isFirst = tried.size === 0 && preferred !== undefined;
        index = isFirst && !ring.isResting(preferred) ? preferred : ring.next(tried);
        tried.add(index);
        return index;
      },
      decide(error, attempt) {
        if (error.code !== "rate_limit") throw error;
        ring.rest(index, error);
        const reason = `With ${ring.label(index)}: ${redact(error.message)}`;
        const message = `${reason} Going on with ${ring.label(ring.next(tried))}.`;
        return { type: "retry", attempt, delay: 0, code: error.code, message };
      },
    };
  }

  async function open(index: number, request: ModelRequest, connectOptions?: ConnectOptions): Promise<KeyedSession> {
    const session = await providerOf(index).connect?.(request, connectOptions);
    if (session) return { index, session };
    throw new ProviderError("unsupported", `The provider made for ${ring.label(index)} has no sessions.`);
  }

  return {
    name: first.name,
    model: first.model,
    capabilities: first.capabilities,
    stream(request, streamOptions) {
      const { next, decide } = begin();
      return streamAgain(() => providerOf(next()).stream(request, streamOptions), decide, streamOptions);
    },
    ...(first.generate && {
      generate(request, streamOptions) {
        const { next, decide } = begin();
        return generateAgain(() => generate(providerOf(next()), request, streamOptions), decide, streamOptions);
      },
    }),
    ...(first.connect && {
      async connect(request, connectOptions) {
        const { next, decide } = begin();
        const opened = await callAgain((told) => open(next(), request, told), decide, connectOptions);
        const session = rotatingSession(opened, request, open);
        return {
          send(text, streamOptions) {
            const turn = begin(session.index);
            const signal = session.untilClosed(streamOptions?.signal);
            return streamAgain(() => session.send(turn.next(), text, streamOptions), turn.decide, { signal });
          },
          close: () => session.close(),
        };
      },
    }),
  };
}

function differentKeys(keys: readonly string[]): string[] {
  if (keys.length === 0) throw new ProviderError("missing_key", "There is no API key to rotate. Give one or more.");
  const empty = keys.findIndex((key) => key.trim() === "");
  if (empty === -1) return [...new Set(keys)];
  throw new ProviderError("missing_key", `The API key ${empty + 1} of ${keys.length} is empty. Leave it out.`);
}
