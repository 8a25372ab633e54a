import type { Provider, Session } from "../provider.ts";
import { type RetryPolicy, toDecide } from "./retry-policy.ts";
import { callAgain, generateAgain, streamAgain } from "./start-again.ts";

/**
 * The same provider, which makes a request again that has failed before anything came of it. Every retry is a `retry`
 * event. What fails after the first event of another kind is thrown as it is, and so is the error of the last try.
 *
 * The wait is as long as the server asks for. If it does not say, it is between half and the whole of `baseDelay`,
 * doubled with each try up to `maxDelay`. An abort ends the wait: a stream then ends with `finish` reason `aborted`,
 * and `connect` fails as the provider's own does; its retries are told to its `onRetry`. The sends of a session are
 * retried as streams are.
 *
 * @throws RangeError if a value of the policy is out of its range
 */
export function withRetry(provider: Provider, policy: RetryPolicy = {}): Provider {
  const decide = toDecide(policy);
  const { generate, connect } = provider;

  function retried(session: Session): Session {
    const closing = new AbortController();
    return {
      send(text, options) {
        const given = options?.signal ? [options.signal] : [];
        // A send after the close is the session's own to refuse.
        const signal = closing.signal.aborted ? options?.signal : AbortSignal.any([closing.signal, ...given]);
        return streamAgain(() => session.send(text, options), decide, { signal });
      },
      close() {
        closing.abort();
        return session.close();
      },
    };
  }

  return {
    name: provider.name,
    model: provider.model,
    capabilities: provider.capabilities,
    stream: (request, options) => streamAgain(() => provider.stream(request, options), decide, options),
    ...(generate && {
      generate: (request, options) => generateAgain(() => generate.call(provider, request, options), decide, options),
    }),
    ...(connect && {
      connect: async (request, options) =>
        retried(await callAgain((told) => connect.call(provider, request, told), decide, options)),
    }),
  };
}
