import { checkOption, required } from "@cogency/protocol/options";
import type { Provider, Session } from "../provider.ts";
import { providerKind } from "../provider-kind.ts";
import { type RetryPolicy, toDecide } from "./retry-policy.ts";
import { callAgain, generateAgain, streamAgain } from "./start-again.ts";

/**
 * The same provider with retries: a request that fails before its first event is made again. Every retry is a `retry`
 * event. A failure after the first event of another kind is thrown unchanged, and so is the error of the last try.
 *
 * The delay is the one that the server asks for. If it asks for none, the delay is between half and the whole of
 * `baseDelay`, doubled with each try up to `maxDelay`. An abort ends the delay: a stream then ends with `finish` reason
 * `aborted`, and `connect` fails as the provider's own does. Retries of `connect` are reported to its `onRetry`. The sends
 * of a session are retried as streams are.
 *
 * @throws TypeError for a provider without a name, an unknown option and one of a wrong type; RangeError if a value of the policy is
 * out of its range
 */
export function withRetry(provider: Provider, policy: RetryPolicy = {}): Provider {
  checkOption("withRetry", "provider", provider, required(providerKind));
  const decide = toDecide(policy);
  const { generate, connect } = provider;

  function retried(session: Session): Session {
    const closing = new AbortController();
    return {
      send(text, options) {
        const given = options?.signal ? [options.signal] : [];
        // After the close, the session itself refuses the send.
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
        retried(await callAgain((connectOptions) => connect.call(provider, request, connectOptions), decide, options)),
    }),
  };
}
