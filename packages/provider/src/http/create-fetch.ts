import { ProviderError } from "../errors.ts";
import { isConnectTimeout, patientDispatcher } from "./patient-dispatcher.ts";
import { type CompleteTimeouts, completeTimeouts, duration, type Timeouts } from "./timeouts.ts";
import { startTimer } from "./timer.ts";
import { watchBody } from "./watch-body.ts";

type Input = Parameters<typeof globalThis.fetch>[0];

/**
 * A `fetch` with time limits of its own, for the `fetch` option of an SDK or to be called. It is the global one
 * underneath, or `base`.
 *
 * In Node the limits of five minutes that the global `fetch` has of itself are taken away, unless the application has
 * set a global dispatcher of its own, with more than other limits: then that one is used, and its limits hold too. A
 * `dispatcher` in the options of a request is used as it is. The body of a refusal gets five seconds of silence at most.
 *
 * What it throws, and what the body fails with, once a limit is reached: a ProviderError `timeout`, which says which
 * limit it was. Everything else passes as it is.
 *
 * @throws RangeError if a limit is not more than 0
 */
export function createFetch(timeouts?: Timeouts, base?: typeof globalThis.fetch): typeof globalThis.fetch {
  const limits = completeTimeouts(timeouts);
  return async (input, init) => {
    const host = hostOf(input);
    const controller = new AbortController();
    const expire = (problem: string) => controller.abort(new ProviderError("timeout", `${host} ${problem}`));
    const total = startTimer(limits.total, () => expire(`did not finish its answer within ${duration(limits.total)}.`));
    const begin = startTimer(limits.firstByte, () =>
      expire(`did not begin its answer within ${duration(limits.firstByte)}.`),
    );
    const signal = signalOf(input, init);
    const abort = () => controller.abort(signal?.reason);
    const finish = () => {
      total.stop();
      begin.stop();
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);

    let response: Response;
    try {
      controller.signal.throwIfAborted();
      const dispatcher = base ? undefined : patientDispatcher(limits.connect);
      const watched = { ...(dispatcher && { dispatcher }), ...init, signal: controller.signal } as RequestInit;
      const asked = (base ?? globalThis.fetch)(input, watched);
      response = await unlessAborted(asked, controller.signal);
    } catch (error) {
      finish();
      throw isConnectTimeout(error) ? unreachable(host, limits) : error;
    }
    if (!response.body) {
      finish();
      return response;
    }
    // The words of a refusal are short, and what is to be done about it should not wait for them.
    const idle = response.ok ? limits.idle : Math.min(limits.idle, refusalPatience);
    const body = watchBody(response.body, {
      signal: controller.signal,
      idle,
      isImpatient: !response.ok,
      onByte: () => begin.stop(),
      onIdle: () => expire(`sent nothing for ${duration(idle)}.`),
      onEnd: finish,
    });
    return copyOf(response, body);
  };
}

/** Milliseconds that the body of an answer that is no success may keep silent. */
const refusalPatience = 5_000;

function signalOf(input: Input, init: RequestInit | undefined): AbortSignal | null | undefined {
  return init?.signal === undefined && input instanceof Request ? input.signal : init?.signal;
}

/** For a `fetch` that does not follow its signal: what it answers after the abort is given up. */
function unlessAborted(asked: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      asked.then((late) => late.body?.cancel()).catch(() => {});
    };
    signal.addEventListener("abort", abort);
    asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function hostOf(input: Input): string {
  const url = input instanceof Request ? input.url : String(input);
  return URL.canParse(url) ? new URL(url).host : "The server";
}

function unreachable(host: string, { connect }: CompleteTimeouts): ProviderError {
  return new ProviderError("timeout", `${host} could not be connected to within ${duration(connect)}.`);
}

/** A `Response` cannot be given another body, and one that is made anew does not know its address. */
function copyOf(response: Response, body: ReadableStream<Uint8Array>): Response {
  const copy = new Response(body, response);
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}
