import { ProviderError } from "../errors.ts";
import { generate } from "../generate.ts";
import { redactor } from "../http/access/redactor.ts";
import type { ConnectOptions, ModelRequest, Provider } from "../provider.ts";
import { callAgain, type Decide, generateAgain, streamAgain } from "../retry/start-again.ts";
import { createKeyRotation, type KeyRotationOptions } from "./key-rotation.ts";
import { type KeyedSession, rotatingSession } from "./rotating-session.ts";

export interface RotateKeysOptions extends KeyRotationOptions {}

/**
 * One provider over several API keys. A request that fails with `rate_limit` before its first event is made again at once
 * with the next key, with a `retry` event in between. The limited key rests for as long as the server says. The next
 * request begins with the key that was used last.
 *
 * While every key rests, the error of the key that is available first is thrown without asking the server. Its
 * `retryAfter` is the time until then, so that `withRetry` around this provider waits for exactly that. Messages name keys
 * by their numbers.
 *
 * A session keeps its key until that key is limited. Then it is opened again with the next key and the whole conversation.
 * With a single key, this returns the provider of `make` unchanged.
 *
 * @param keys such as `apiKeys` of `@cogency/provider/http` finds; duplicates are ignored
 * @param make creates the provider of a key: of the first key now, of each other key when it is first needed
 * @throws ProviderError `missing_key` if there is no key, or an empty one
 * @throws RangeError if a time is less than 0
 */
export function rotateKeys(
  keys: readonly string[],
  make: (key: string) => Provider,
  options: RotateKeysOptions = {},
): Provider {
  const different = differentKeys(keys);
  const rotation = createKeyRotation(different, options);
  const redact = redactor(different);
  const made = new Map<number, Provider>();
  const first = providerOf(0);
  if (different.length === 1) return first;

  function providerOf(index: number): Provider {
    const provider = made.get(index) ?? make(different[index] ?? "");
    made.set(index, provider);
    return provider;
  }

  /** One request: tries each key at most once, and the preferred key first. */
  function begin(preferred?: number): { next(): number; decide: Decide } {
    const tried = new Set<number>();
    let index = 0;
    return {
      next() {
        const isFirst = tried.size === 0 && preferred !== undefined;
        index = isFirst && !rotation.isResting(preferred) ? preferred : rotation.next(tried);
        tried.add(index);
        return index;
      },
      decide(error, attempt) {
        if (error.code !== "rate_limit") throw error;
        rotation.rest(index, error);
        const reason = `With ${rotation.label(index)}: ${redact(error.message)}`;
        const message = `${reason} Continuing with ${rotation.label(rotation.next(tried))}.`;
        return { type: "retry", attempt, delay: 0, code: error.code, message };
      },
    };
  }

  async function open(index: number, request: ModelRequest, connectOptions?: ConnectOptions): Promise<KeyedSession> {
    const session = await providerOf(index).connect?.(request, connectOptions);
    if (session) return { index, session };
    throw new ProviderError("unsupported", `The provider made for ${rotation.label(index)} has no sessions.`);
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
        const opened = await callAgain((options) => open(next(), request, options), decide, connectOptions);
        const session = rotatingSession(opened, request, open);
        return {
          send(text, streamOptions) {
            const attempts = begin(session.index);
            const signal = session.untilClosed(streamOptions?.signal);
            return streamAgain(() => session.send(attempts.next(), text, streamOptions), attempts.decide, { signal });
          },
          close: () => session.close(),
        };
      },
    }),
  };
}

function differentKeys(keys: readonly string[]): string[] {
  if (keys.length === 0) throw new ProviderError("missing_key", "There is no API key to rotate. Pass one or more.");
  const empty = keys.findIndex((key) => key.trim() === "");
  if (empty === -1) return [...new Set(keys)];
  throw new ProviderError("missing_key", `The API key ${empty + 1} of ${keys.length} is empty. Remove it.`);
}
